import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import type { PaymentView, RefundView } from '../helpers/order-service.js';
import { forAllTests } from '../helpers/shared.js';
import { until } from '../helpers/until.js';
import { elsewhere } from './elsewhere.js';
import { RefundStage } from './refund-stage.js';
import { usd } from '../helpers/usd.js';

const stage = forAllTests(() =>
  RefundStage.start({
    reconciles: 'never',
    patience: {
      outcomeHorizonMs: 1_500,
      reviewAfterMs: 1,
      firstPollMs: 60_000,
      longestPollMs: 60_000,
      firstLookMs: 1_000,
    },
  }),
);
afterEach(() => stage.reset());

const thirty = { amount: usd('30.00') };
const refused = (code: string) => ({ status: 409, body: { code } });

type Captured = Awaited<ReturnType<RefundStage['capturedPayment']>>;

/** Orders 30.00, and the provider answers 500 and does nothing. Meanwhile somebody else refunds the same. */
async function neverMade({ id, captureId }: Captured, twins: number) {
  const { orders, sandbox } = stage.engine;
  await failRefunds();
  const ordered = orders.refund(id, thirty);
  await until(
    () => orders.get(id),
    ({ refunds }) => refunds.some(({ origin }) => origin === 'order_service'),
    `the refund of ${id} to be ordered`,
  );
  const made: string[] = [];
  while (made.length < twins) made.push(await sandbox.refundElsewhere(captureId, '30.00'));
  const refundId = (await ordered).body.id;
  await mustBeDecided(refundId);
  return { refundId, twins: made };
}

/** Orders 30.00, which is made, and the answer is lost. No read shows the reference, and no event comes. */
async function madeUnseen({ id }: Captured) {
  const { orders, sandbox } = stage.engine;
  await hideReferences();
  await sandbox.fault({ operation: 'capture.refund', kind: 'drop_reply', times: null });
  const { body } = await orders.refund(id, thirty);
  await mustBeDecided(body.id);
  const calls = await sandbox.calls(`clientId=${sandbox.clientId}&limit=1000`);
  const call = calls.find(({ operation, transactionId }) => operation === 'capture.refund' && transactionId);
  return { refundId: body.id, made: call?.transactionId ?? '' };
}

async function failRefunds(): Promise<void> {
  const fails = { operation: 'capture.refund', kind: 'status', status: 500, times: null };
  await stage.engine.sandbox.fault(fails);
}

async function hideReferences(): Promise<void> {
  const { sandbox } = stage.engine;
  const hidden = { kind: 'reshape', remove: ['**.invoice_number'], times: null };
  await sandbox.fault({ operation: '*', kind: 'drop_delivery', times: null });
  for (const operation of ['payment.get', 'refund.get']) await sandbox.fault({ operation, ...hidden });
}

/** Waits until a person is asked, and past the outcome horizon. */
async function mustBeDecided(refundId: string): Promise<void> {
  const { step } = await until(
    () =>
      stage.engine.orders.read<{ possibleDecisions: string[]; step: { horizonAt: string } }>(
        `/v1/refunds/${refundId}/review`,
      ),
    ({ possibleDecisions }) => possibleDecisions.length > 0,
    `${refundId} to be under review`,
  );
  await until(
    async () => Date.now(),
    (now) => now > Date.parse(step.horizonAt) + 100,
    'the outcome horizon',
  );
}

async function decide(refundId: string, decision: string, resourceId?: string, isUnverified?: boolean) {
  const address = `/v1/refunds/${refundId}/review/decision`;
  return await stage.engine.orders.post<{ code?: string; refund?: RefundView }>(address, randomUUID(), {
    decision,
    reason: 'Seen in the dashboard.',
    ...(resourceId && { evidence: { resourceId } }),
    ...(isUnverified && { isUnverified }),
  });
}

async function isReported(paymentId: string, count: number): Promise<void> {
  await until(
    () => stage.engine.orders.get(paymentId),
    ({ refunds }) => refunds.filter(({ origin }) => origin === 'elsewhere').length === count,
    `${count} refund(s) of ${paymentId} made elsewhere to be reported`,
  );
}

/** Because of the decision: its own next read is far off. */
async function elsewhereEnds(providerRefundId: string, state: string): Promise<void> {
  await until(
    () => stage.rowOf(providerRefundId),
    ({ status }) => status === state,
    `${providerRefundId}, made elsewhere, to be ${state}`,
  );
}

async function amountsOf(paymentId: string): Promise<PaymentView['amounts']> {
  return (await stage.engine.orders.get(paymentId)).amounts;
}

/** By the provider's books, in minor units. */
async function refundsIn(paymentId: string): Promise<number[]> {
  const entries = (await stage.engine.sandbox.booksOf(paymentId)).map((entry) => entry.split(' '));
  return entries.filter(([kind]) => kind === 'refund').map(([_kind, minor]) => Number(minor));
}

async function referencedElsewhere(captureId: string): Promise<string> {
  const request = { ...thirty, invoiceNumber: `INV-${randomUUID()}` };
  const made = await elsewhere(stage.engine, ({ captures }) =>
    captures.refund(captureId, request, { requestId: randomUUID() }),
  );
  return made.id;
}

describe('a refund in doubt, and an equal one without a reference', () => {
  it('that a person names as another’s: ours was not made, and the rest can be refunded', async () => {
    const { orders, sandbox } = stage.engine;
    const payment = await stage.capturedPayment();
    const smaller = await sandbox.refundElsewhere(payment.captureId, '5.00');
    const withReference = await referencedElsewhere(payment.captureId);
    await stage.shows(payment.id, 'completed', 2);
    const { refundId, twins } = await neverMade(payment, 1);
    await isReported(payment.id, 3);
    await sandbox.clearFaults();
    expect(await decide(refundId, 'did_not_happen')).toMatchObject(refused('cannot_be_verified'));
    // Nor on the word alone: the person may not have seen that there is an equal one.
    for (const named of [undefined, smaller, withReference]) {
      const answer = await decide(refundId, 'did_not_happen', named, true);
      expect(answer).toMatchObject(refused('cannot_be_verified'));
    }
    for (const named of [smaller, withReference]) {
      const answer = await decide(refundId, 'happened', named, true);
      expect(answer).toMatchObject(refused('contradicted_by_provider'));
    }
    const decided = await decide(refundId, 'did_not_happen', twins[0]);
    expect(decided).toMatchObject({ status: 200, body: { refund: { state: 'failed' } } });
    await elsewhereEnds(twins[0] ?? '', 'completed');
    expect(await amountsOf(payment.id)).toMatchObject({ refunded: usd('65.00'), refundable: usd('35.00') });
    expect(await orders.refund(payment.id)).toMatchObject({ status: 201, body: { amount: usd('35.00') } });
    expect(await refundsIn(payment.id)).toEqual([500, 3000, 3000, 3500]);
  });

  it('that a person names as ours counts once', async () => {
    const { orders, sandbox } = stage.engine;
    const payment = await stage.capturedPayment();
    const { refundId, made } = await madeUnseen(payment);
    // The event does not show the reference, either.
    await stage.tell(made, { capture_id: payment.captureId });
    await isReported(payment.id, 1);
    expect(await amountsOf(payment.id)).toMatchObject({ refunded: usd('0.00'), refundable: null });
    expect(await decide(refundId, 'did_not_happen')).toMatchObject(refused('cannot_be_verified'));
    const decided = await decide(refundId, 'happened', made);
    const refund = { state: 'completed', providerRefundId: made };
    expect(decided).toMatchObject({ status: 200, body: { refund } });
    await elsewhereEnds(made, 'unfounded');
    expect(await amountsOf(payment.id)).toMatchObject({ refunded: usd('30.00'), refundable: usd('70.00') });
    await sandbox.clearFaults();
    expect(await orders.refund(payment.id)).toMatchObject({ status: 201, body: { amount: usd('70.00') } });
    expect(await refundsIn(payment.id)).toEqual([3000, 7000]);
  });

  it('that is another request’s own is not ours, and does not keep ours in doubt', async () => {
    const { orders, sandbox } = stage.engine;
    const payment = await stage.capturedPayment();
    const first = await madeUnseen(payment);
    expect(await decide(first.refundId, 'happened', first.made)).toMatchObject({ status: 200 });
    await sandbox.clearFaults();
    await hideReferences();
    await failRefunds();
    const second = (await orders.refund(payment.id, thirty)).body.id;
    await mustBeDecided(second);
    const twice = await decide(second, 'happened', first.made, true);
    expect(twice).toMatchObject(refused('contradicted_by_provider'));
    expect(await decide(second, 'did_not_happen')).toMatchObject({ status: 200 });
    expect(await amountsOf(payment.id)).toMatchObject({ refunded: usd('30.00'), refundable: usd('70.00') });
    expect(await refundsIn(payment.id)).toEqual([3000]);
  });

  it('that two people name as ours at the same time, for two requests, is the outcome of one of them', async () => {
    const { orders, sandbox } = stage.engine;
    const payment = await stage.capturedPayment();
    const first = await neverMade(payment, 0);
    const { refundId, twins } = await neverMade(payment, 1);
    await sandbox.clearFaults();
    await sandbox.fault({ operation: 'refund.get', kind: 'delay', delayMs: 1_500, times: null });
    const ids = [first.refundId, refundId];
    const decided = await Promise.all(ids.map((id) => decide(id, 'happened', twins[0])));
    expect(decided.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 409]);
    expect(await amountsOf(payment.id)).toMatchObject({ refunded: usd('30.00') });
    await sandbox.clearFaults();
    const other = ids[decided.findIndex(({ status }) => status === 409)] ?? '';
    expect(await decide(other, 'happened', twins[0])).toMatchObject(refused('contradicted_by_provider'));
    expect(await decide(other, 'did_not_happen')).toMatchObject({ status: 200 });
    expect(await orders.refund(payment.id)).toMatchObject({ status: 201, body: { amount: usd('70.00') } });
    expect(await refundsIn(payment.id)).toEqual([3000, 7000]);
  });

  it('of several that are another’s, one is named, and the person answers for the others', async () => {
    const payment = await stage.capturedPayment();
    const { refundId, twins } = await neverMade(payment, 2);
    await isReported(payment.id, 2);
    await stage.engine.sandbox.clearFaults();
    expect(await decide(refundId, 'did_not_happen', twins[0])).toMatchObject(refused('cannot_be_verified'));
    expect(await decide(refundId, 'did_not_happen', twins[0], true)).toMatchObject({ status: 200 });
    for (const twin of twins) await elsewhereEnds(twin, 'completed');
    expect(await amountsOf(payment.id)).toMatchObject({ refunded: usd('60.00'), refundable: usd('40.00') });
    expect(await refundsIn(payment.id)).toEqual([3000, 3000]);
  });
});
