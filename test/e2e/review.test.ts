import { randomUUID } from 'node:crypto';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { noteListener } from '#database/notifications';
import { paymentWorkflowId } from '#workflows/contract';
import { startEngine } from '../helpers/engine.js';
import { eventNames } from '../helpers/event-names.js';
import type { PaymentView } from '../helpers/order-service.js';
import { forAllTests } from '../helpers/shared.js';
import { until } from '../helpers/until.js';

interface Review {
  readonly state: string;
  readonly subject: string | null;
  readonly reason: string | null;
  readonly possibleDecisions: readonly string[];
  readonly step: { readonly operation: string; readonly horizonAt: string; readonly looks: number } | null;
  readonly attempts: readonly {
    readonly operation: string;
    readonly reference: string;
    readonly outcome: string;
  }[];
  readonly calls: readonly {
    readonly operation: string;
    readonly status: number | null;
    readonly debugId: string | null;
    readonly reference: string | null;
  }[];
  readonly decisions: readonly {
    readonly decidedBy: string;
    readonly reason: string;
    readonly state: string;
  }[];
}

const engine = forAllTests(() =>
  startEngine({
    approval: 'immediate',
    patience: { outcomeHorizonMs: 1_500, reviewAfterMs: 2_500, longestPollMs: 60_000, firstLookMs: 1_000 },
  }),
);
beforeAll(async () => {
  await noteListener(engine.db, { environment: 'sandbox', application: 'shop' });
});
afterEach(() => engine.sandbox.clearFaults());

const fault = (operation: string, kind: Record<string, unknown>) =>
  engine.sandbox.fault({ clientId: engine.sandbox.clientId, operation, ...kind });

/** Captured, with nobody to tell whether: the call failed, and the provider cannot be read. */
async function underReview(key: string): Promise<PaymentView> {
  const { body } = await engine.orders.order();
  await engine.orders.reaches(body.id, 'authorized');
  await fault('authorization.capture', { kind: 'status', status: 500 });
  await fault('payment.get', { kind: 'status', status: 503, times: null });
  void engine.orders.capture(body.id, {}, key).catch(() => undefined);
  return await engine.orders.reaches(body.id, 'needs_review');
}

const undone = { decision: 'did_not_happen', reason: 'Not in the dashboard; asked anna@shop.example.' };

describe('case 4: an outcome that cannot be proved', () => {
  it('is shown to an operator with its evidence, and is what the operator decides, once and for good', async () => {
    const key = randomUUID();
    const { id } = await underReview(key);
    const review = await engine.orders.review<Review>(id);
    expect(review).toMatchObject({
      state: 'needs_review',
      subject: 'step',
      reason: 'It cannot be proved whether the capture happened.',
      possibleDecisions: ['happened', 'did_not_happen'],
      step: { operation: 'captureAuthorization' },
      attempts: [{ operation: 'createPayment' }, { operation: 'captureAuthorization', outcome: 'unknown' }],
    });
    const sent = review.calls.find(({ operation }) => operation === 'authorization.capture');
    expect(sent).toMatchObject({
      status: 500,
      debugId: expect.any(String),
      reference: review.attempts[1]?.reference,
    });
    expect(review.calls.some(({ operation, status }) => operation === 'payment.get' && status === 503)).toBe(
      true,
    );

    // Case 27: a double click, and more.
    const decision = { ...undone, isUnverified: true };
    await until(
      async () => Date.now(),
      (now) => now > Date.parse(review.step?.horizonAt ?? '') + 100,
      'the outcome horizon',
    );
    expect(await engine.orders.decide(id, undone)).toMatchObject({
      status: 409,
      body: { code: 'cannot_be_verified' },
    });
    const decisionKey = randomUUID();
    const answers = await Promise.all([1, 2, 3].map(() => engine.orders.decide(id, decision, decisionKey)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    await engine.sandbox.clearFaults();
    expect(await engine.orders.decide(id, decision, decisionKey)).toMatchObject({ status: 200 });
    expect(await engine.orders.decide(id, { ...decision, reason: 'Another.' }, decisionKey)).toMatchObject({
      status: 409,
    });
    expect(await engine.orders.reaches(id, 'authorized')).toMatchObject({ state: 'authorized' });

    const { data: notifications } = await engine.orders.read<{ data: readonly { type: string }[] }>(
      `/v1/notifications?subject=${id}`,
    );
    const told = notifications.map(({ type }) => type);
    expect(told.toReversed().slice(-2)).toEqual(['payment.needs_review', 'payment.capture_failed']);

    const { decisions } = await engine.orders.review<Review>(id);
    expect(decisions).toMatchObject([
      { state: 'refused' },
      {
        state: 'succeeded',
        decidedBy: 'api-key:shop',
        reason: 'Not in the dashboard; asked [redacted]',
      },
    ]);
    const timeline = await engine.db
      .selectFrom('timeline')
      .selectAll()
      .where('subject_id', '=', id)
      .orderBy('version')
      .execute();
    const taken = timeline.filter(({ event, kind }) => event === 'reviewDecided' && kind === 'moved');
    expect(taken.map(({ detail }) => detail)).toEqual([
      'did_not_happen: Not in the dashboard; asked [redacted]',
      'did_not_happen (on the operator’s word, where the provider cannot be read): Not in the dashboard; asked [redacted]',
    ]);

    expect(await engine.orders.capture(id, {}, key)).toMatchObject({
      status: 402,
      body: { code: 'decided_undone' },
    });
    expect(await engine.orders.capture(id)).toMatchObject({ status: 201 });
    expect(await engine.sandbox.booksOf(id)).toEqual(['hold 10000', 'capture 10000']);
  });

  it('writes nothing of a decision before the history has it', async () => {
    const { id } = await underReview(randomUUID());
    await engine.orders.decide(id, { ...undone, isUnverified: true });
    const identity = { environment: 'sandbox', application: 'shop', paymentId: id };
    const run = engine.temporal.workflow.getHandle(paymentWorkflowId(identity));
    const sinceTaken = async () => {
      const names = await eventNames(run);
      return names.slice(names.indexOf('workflowExecutionUpdateAcceptedEventAttributes'));
    };
    const verified = 'verifyDecision';
    const events = await until(
      sinceTaken,
      (names) => names.includes(verified),
      'the decision to be verified',
    );
    const persisted = events.indexOf('activityTaskScheduledEventAttributes');
    expect(persisted).toBeGreaterThan(0);
    // Only what the run saw, of which no row knows.
    expect(events.slice(0, persisted).filter((name) => !name.endsWith('Attributes'))).toEqual(['takeEvent']);
  });

  it('cannot be decided for a payment that is not under review, and the refusal is recorded', async () => {
    const { body } = await engine.orders.order();
    await engine.orders.reaches(body.id, 'authorized');
    expect(await engine.orders.decide(body.id, undone)).toMatchObject({
      status: 409,
      body: { code: 'not_allowed_in_state', detail: 'A payment that is authorized is not under review.' },
    });
    expect(await engine.orders.review<Review>(body.id)).toMatchObject({
      subject: null,
      possibleDecisions: [],
      decisions: [{ state: 'refused' }],
    });
  });
});
