import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { startEngine } from '../helpers/engine.js';
import { forAllTests } from '../helpers/shared.js';
import { until } from '../helpers/until.js';
import { PayoutService, item } from '../payouts/payout-service.js';

const engine = forAllTests(() =>
  startEngine({
    approval: 'immediate',
    patience: { outcomeHorizonMs: 1_500, reviewAfterMs: 1, longestPollMs: 60_000, firstLookMs: 1_000 },
  }),
);
afterEach(() => engine.sandbox.clearFaults());

const fault = (operation: string, kind: Record<string, unknown>) =>
  engine.sandbox.fault({ clientId: engine.sandbox.clientId, operation, ...kind });

const undone = { decision: 'did_not_happen', reason: 'Not in the dashboard.' };

interface Review {
  readonly reason: string | null;
  readonly possibleDecisions: readonly string[];
  readonly step: { readonly horizonAt: string } | null;
  readonly attempts: readonly {
    readonly operation: string;
    readonly outcome: string | null;
    readonly settledAt: string | null;
  }[];
  readonly decisions: readonly { readonly state: string; readonly decidedBy: string }[];
}

/** Asks for the evidence of whatever is at the address until an operator may decide, and past the outcome horizon. */
async function evidenceAt(address: string): Promise<Review> {
  const review = await until(
    () => get<Review>(`${address}/review`),
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

describe('case 4: an outcome that cannot be proved', () => {
  it('of a refund is shown with its evidence, and is never called undone on an operator’s word alone', async () => {
    const { body } = await engine.orders.order({ capturePolicy: { mode: 'automatic' } });
    await engine.orders.reaches(body.id, 'captured');
    await fault('capture.refund', { kind: 'drop_reply' });
    // Nor does the provider tell when it is sent again under the same key, or when it is looked for.
    await fault('capture.refund', { kind: 'status', status: 500, times: null });
    for (const operation of ['capture.get', 'payment.get', 'payment.list'])
      await fault(operation, { kind: 'status', status: 503, times: null });
    // An event would name it.
    await fault('*', { kind: 'drop_delivery', times: null });
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
    const refused = (await get<Review>(`${address}/review`)).decisions;
    expect(refused.map(({ state, decidedBy }) => [state, decidedBy])).toEqual([
      ['refused', 'api-key:shop'],
      ['refused', 'api-key:shop'],
    ]);
    await engine.sandbox.clearFaults();
    await until(
      () => get<{ state: string }>(address),
      ({ state }) => state === 'completed',
      'the refund to be found',
    );
    expect(await engine.orders.refund(body.id, {})).toMatchObject({ status: 409 });
    expect(await engine.sandbox.booksOf(body.id)).toEqual(['hold 10000', 'capture 10000', 'refund 10000']);
  });

  it('of a payout is shown with its evidence, and continues with the batch that the operator names', async () => {
    const payouts = new PayoutService(engine);
    await fault('payout.create', { kind: 'drop_reply' });
    // A batch is found by sending it again, too: the answer names the one that is there.
    await fault('payout.create', { kind: 'status', status: 503, times: null });
    const { body } = await payouts.order([item('anna')]);
    const address = `/v1/payouts/${body.id}`;
    const review = await evidenceAt(address);
    expect(review.possibleDecisions).toEqual(['happened', 'did_not_happen']);
    expect(review.attempts[0]).toMatchObject({ operation: 'createPayout', outcome: 'unknown' });
    // It pays already: ordered again, it would pay twice.
    const answer = await until(
      () => decide(address, { ...undone, isUnverified: true }),
      ({ body }) => body['code'] !== 'too_early',
      'the outcome horizon to pass',
    );
    expect(answer).toMatchObject({ status: 409, body: { code: 'cannot_be_verified' } });
    expect(await decide(address, named('ANOTHER1'))).toMatchObject({
      status: 409,
      body: { code: 'contradicted_by_provider' },
    });
    expect(await decide(address, named(await madeBy('payout.create')))).toMatchObject({ status: 200 });
    await payouts.reaches(body.id, 'completed');
    expect(await payouts.movementsOf(body.id)).toHaveLength(1);
  });

  it('of a payout is not proved by the refusal of a later call, however much later', async () => {
    const payouts = new PayoutService(engine);
    // All that one attempt sends: the batch is made, and nobody is told. What comes after is refused unread.
    await fault('payout.create', { kind: 'drop_reply', times: 4 });
    await fault('payout.create', { kind: 'status', status: 422, times: null });
    const { body } = await payouts.order([item('told')]);
    const address = `/v1/payouts/${body.id}`;
    await payouts.reaches(body.id, 'needs_review');
    // Any outcome horizon is over.
    await engine.db
      .updateTable('attempts')
      .set({ send_by: new Date(0) })
      .where('subject_id', '=', body.id)
      .execute();
    const refused = (review: Review) => review.attempts.filter(({ settledAt }) => settledAt !== null).length;
    const before = refused(await get<Review>(`${address}/review`));
    await until(
      () => get<Review>(`${address}/review`),
      (review) => refused(review) > before + 1,
      'another refusal',
    );
    expect((await payouts.get(body.id)).state).toBe('needs_review');
    await engine.sandbox.clearFaults();
    await payouts.reaches(body.id, 'completed');
    expect(await payouts.movementsOf(body.id)).toHaveLength(1);
  });
});
