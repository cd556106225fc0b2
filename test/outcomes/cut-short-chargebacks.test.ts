import { afterEach, describe, expect, it } from 'vitest';
import { RefundStage } from '../e2e/refund-stage.js';
import { forAllTests } from '../helpers/shared.js';
import { testWaitPolicy } from '../helpers/worker.js';
import { until } from '../helpers/until.js';
import { usd } from '../helpers/usd.js';

const stage = forAllTests(() => RefundStage.start({ reconciles: 'often' }));
afterEach(() => stage.reset());

const unknown = { status: 409, body: { code: 'refundable_amount_unknown' } };
const nothingLeft = { status: 409, body: { code: 'nothing_refundable' } };

/** What reads of a payment lack until the faults are cleared. */
async function cutPayments(...remove: string[]): Promise<void> {
  await stage.engine.sandbox.fault({ kind: 'reshape', operation: 'payment.get', remove, times: null });
}

const reversalsOf = async (paymentId: string) =>
  await stage.engine.db
    .selectFrom('refunds')
    .selectAll()
    .where('payment_id', '=', paymentId)
    .where('kind', '=', 'reversal')
    .execute();

/** Until it was looked at again, longer than the outcome horizon after a look had told no amount; or has ended. */
async function pastTheHorizon(id: string): Promise<void> {
  const [first] = await until(
    () => reversalsOf(id),
    ([reversal]) => reversal !== undefined && reversal.status !== 'observed',
    'the chargeback to be read',
  );
  const horizonAt = (first?.state.lastLookAt ?? 0) + testWaitPolicy.outcomeHorizonMs;
  await until(
    () => reversalsOf(id),
    ([reversal]) => reversal?.status === 'completed' || (reversal?.state.lastLookAt ?? 0) > horizonAt,
    'a look after the horizon',
  );
}

describe('a chargeback whose answers are incomplete for longer than the horizon', () => {
  it.each([
    ['transactions', ['transactions']],
    ['refunds', ['**.refund']],
  ])('(no %s) has not ended, and is shown with its amount once they are complete', async (_, removed) => {
    const { orders, sandbox } = stage.engine;
    const { id, captureId } = await stage.capturedPayment();
    await orders.refund(id, { amount: usd('30.00') });
    await cutPayments(...removed);
    await sandbox.chargeBack(captureId);
    await pastTheHorizon(id);
    const doubted = await orders.get(id);
    expect(doubted.amounts).toMatchObject({ refunded: usd('30.00'), refundable: null, reversed: null });
    expect(doubted.refunds).toMatchObject([{ state: 'completed' }, { state: 'pending', amount: null }]);
    expect(await orders.refund(id)).toMatchObject(unknown);

    await sandbox.clearFaults();
    expect((await stage.shows(id, 'completed', 2)).amounts).toMatchObject({
      refunded: usd('30.00'),
      refundable: usd('0.00'),
      reversed: usd('70.00'),
    });
    expect(await orders.refund(id)).toMatchObject(nothingLeft);
    expect(await sandbox.booksOf(id)).toEqual([
      'hold 10000',
      'capture 10000',
      'refund 3000',
      'reversal 7000',
    ]);
  });
});

describe('a chargeback of a part', () => {
  it('gets its amount once the rest was refunded, even if it had ended without one', async () => {
    const { orders, sandbox } = stage.engine;
    const { id, captureId } = await stage.capturedPayment();
    await sandbox.chargeBack(captureId, '30.00');
    expect((await stage.shows(id, 'completed', 1)).amounts).toMatchObject({ reversed: null });
    await cutPayments('**.capture');
    await sandbox.refundElsewhere(captureId, '70.00');
    await stage.shows(id, 'completed', 2);
    const [ended] = await reversalsOf(id);
    await until(
      () => reversalsOf(id),
      ([reversal]) => Number(reversal?.amount_asked_at) > Number(ended?.amount_asked_at),
      'a comparison without an answer',
    );
    expect((await orders.get(id)).amounts).toMatchObject({ refundable: null, reversed: null });
    expect(await orders.refund(id)).toMatchObject(unknown);

    await sandbox.clearFaults();
    const { amounts, refunds } = await until(
      () => orders.get(id),
      (payment) => payment.amounts.reversed !== null,
      'the amount to be told',
    );
    expect(amounts).toMatchObject({
      refunded: usd('70.00'),
      refundable: usd('0.00'),
      reversed: usd('30.00'),
    });
    expect(await orders.refund(id)).toMatchObject(nothingLeft);
    // The end stands: nothing was told twice, and nothing otherwise than before.
    const reported = refunds.find(({ kind }) => kind === 'reversal');
    expect(reported).toMatchObject({ state: 'completed', amount: usd('30.00') });
    expect(reported?.timeline.map(({ from, to }) => [from, to])).toEqual([
      ['observed', 'completed'],
      ['completed', 'completed'],
    ]);
    expect((await reversalsOf(id)).map(({ refunded_at }) => refunded_at)).toEqual([ended?.refunded_at]);
  });
});
