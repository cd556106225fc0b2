import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { paymentWorkflowId } from '../../libs/workflows/src/contract/payment.js';
import { type Engine, startEngine } from '../helpers/engine.js';
import type { PaymentView } from '../helpers/order-service.js';
import { until } from '../helpers/until.js';
import { PayoutService, item } from '../payouts/payout-service.js';

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
    readonly status: string;
  }[];
}

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine({
    approval: 'immediate',
    patience: { outcomeHorizonMs: 1_500, reviewAfterMs: 1, longestPollMs: 60_000, firstLookMs: 1_000 },
  });
});
afterEach(() => engine.sandbox.clearFaults());
afterAll(async () => {
  await engine.close();
});

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

    const { decisions } = await engine.orders.review<Review>(id);
    expect(decisions).toMatchObject([
      { status: 'refused' },
      {
        status: 'succeeded',
        decidedBy: 'api-key:test',
        reason: 'Not in the dashboard; asked [redacted]',
      },
    ]);
    const story = await engine.db.selectFrom('timeline').selectAll().where('subject_id', '=', id).execute();
    const taken = story.filter(({ event, kind }) => event === 'reviewDecided' && kind === 'moved');
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
      const { events } = await run.fetchHistory();
      const types = (events ?? []).map((event) =>
        Object.keys(event).find((key) => key.endsWith('Attributes')),
      );
      return types.slice(types.indexOf('workflowExecutionUpdateAcceptedEventAttributes'));
    };
    const marker = 'markerRecordedEventAttributes';
    const story = await until(sinceTaken, (types) => types.includes(marker), 'the verdict to be recorded');
    expect(story.indexOf('timerFiredEventAttributes')).toBeGreaterThan(0);
    expect(story.indexOf(marker)).toBeGreaterThan(story.indexOf('timerFiredEventAttributes'));
  });

  it('cannot be decided of a payment that is not under review, and leaves no command', async () => {
    const { body } = await engine.orders.order();
    await engine.orders.reaches(body.id, 'authorized');
    expect(await engine.orders.decide(body.id, undone)).toMatchObject({
      status: 409,
      body: { code: 'not_allowed_in_state', detail: 'A payment that is authorized is not under review.' },
    });
    expect(await engine.orders.review<Review>(body.id)).toMatchObject({
      subject: null,
      possibleDecisions: [],
      decisions: [],
    });
  });
});

interface ReviewOfOther {
  readonly reason: string | null;
  readonly possibleDecisions: readonly string[];
  readonly attempts: readonly { readonly operation: string; readonly outcome: string | null }[];
  readonly decisions: readonly { readonly status: string; readonly decidedBy: string }[];
}

/** Asks for the evidence of whatever is at the address until an operator may decide, and past the outcome horizon. */
async function evidenceAt(address: string): Promise<ReviewOfOther> {
  const review = await until(
    () => get<ReviewOfOther & { step: { horizonAt: string } | null }>(`${address}/review`),
    ({ possibleDecisions }) => possibleDecisions.length > 0,
    `${address} to be under review`,
  );
  const horizonAt = Date.parse(review.step?.horizonAt ?? '');
  await until(
    async () => Date.now(),
    (now) => now > horizonAt + 100,
    'the outcome horizon',
  );
  return review;
}

async function get<T>(address: string): Promise<T> {
  const headers = { authorization: `Bearer ${engine.apiKey}` };
  return (await (await fetch(`${engine.apiUrl}${address}`, { headers })).json()) as T;
}

async function decide(address: string, decision: unknown) {
  const response = await fetch(`${engine.apiUrl}${address}/review/decision`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${engine.apiKey}`,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    },
    body: JSON.stringify(decision),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

/** The id of what the provider made and told nobody. */
async function madeBy(operation: string): Promise<string> {
  const calls = await engine.sandbox.calls(`clientId=${engine.sandbox.clientId}&limit=1000`);
  return (
    calls.find((call) => call.operation === operation && call.transactionId !== null)?.transactionId ?? ''
  );
}

const named = (resourceId: string) => ({
  decision: 'happened',
  reason: 'Support has found it.',
  evidence: { resourceId },
});

describe('case 4: what cannot be proved', () => {
  it('of a refund is shown with its evidence, and is never called undone on an operator’s word alone', async () => {
    const { body } = await engine.orders.order({ capturePolicy: { mode: 'automatic' } });
    await engine.orders.reaches(body.id, 'captured');
    await fault('capture.refund', { kind: 'drop_reply' });
    // Nor does the provider tell when it is sent again under the same key, or when it is looked for.
    await fault('capture.refund', { kind: 'status', status: 500, times: null });
    for (const operation of ['capture.get', 'payment.get', 'payment.list'])
      await fault(operation, { kind: 'status', status: 503, times: null });
    const refund = await engine.orders.refund(body.id, {});
    const address = `/v1/refunds/${refund.body.id}`;
    const review = await evidenceAt(address);
    expect(review).toMatchObject({ possibleDecisions: ['happened', 'did_not_happen'], decisions: [] });
    expect(review.attempts[0]).toMatchObject({ operation: 'makeRefund', outcome: 'unknown' });
    // What it has given back could go back a second time.
    const onWord = { ...undone, isUnverified: true };
    expect(await decide(address, onWord)).toMatchObject({
      status: 409,
      body: { code: 'cannot_be_verified' },
    });
    expect(await decide(address, named('ANOTHER1'))).toMatchObject({
      status: 409,
      body: { code: 'contradicted_by_provider' },
    });
    const refused = (await get<ReviewOfOther>(`${address}/review`)).decisions;
    expect(refused.map(({ status, decidedBy }) => [status, decidedBy])).toEqual([
      ['refused', 'api-key:test'],
      ['refused', 'api-key:test'],
    ]);
    await engine.sandbox.clearFaults();
    await until(
      () => get<{ status: string }>(address),
      ({ status }) => status === 'completed',
      'the refund to be found',
    );
    expect(await engine.orders.refund(body.id, {})).toMatchObject({ status: 409 });
    expect(await engine.sandbox.booksOf(body.id)).toEqual(['hold 10000', 'capture 10000', 'refund 10000']);
  });

  it('of a payout is shown with its evidence, and goes on with the batch that the operator names', async () => {
    const payouts = new PayoutService(engine);
    await fault('payout.create', { kind: 'drop_reply' });
    // A batch is found by sending it again, too: the answer names the one that is there.
    await fault('payout.create', { kind: 'status', status: 503, times: null });
    const { body } = await payouts.order([item('anna')]);
    const address = `/v1/payouts/${body.id}`;
    const review = await evidenceAt(address);
    expect(review.possibleDecisions).toEqual(['happened', 'did_not_happen']);
    expect(review.attempts[0]).toMatchObject({ operation: 'createPayout', outcome: 'unknown' });
    expect(await decide(address, undone)).toMatchObject({
      status: 409,
      body: { code: 'cannot_be_verified' },
    });
    expect(await decide(address, named('ANOTHER1'))).toMatchObject({
      status: 409,
      body: { code: 'contradicted_by_provider' },
    });
    expect(await decide(address, named(await madeBy('payout.create')))).toMatchObject({ status: 200 });
    await payouts.reaches(body.id, 'completed');
    expect(await payouts.movementsOf(body.id)).toHaveLength(1);
  });
});
