import { sql } from 'kysely';
import { afterEach, describe, expect, it } from 'vitest';
import { forAllTests } from '../helpers/shared.js';
import { until } from '../helpers/until.js';
import { shutGate } from './gate.js';
import { RefundStage } from './refund-stage.js';
import { usd } from '../helpers/usd.js';

const stage = forAllTests(() => RefundStage.start());
afterEach(() => stage.reset());

describe('case 11: a refund after the run has closed', () => {
  it('starts its own run, and is shown as the provider shows it', async () => {
    const { id, captureId } = await stage.capturedPayment();
    const refundId = await stage.engine.sandbox.refundElsewhere(captureId, '40.10');
    expect(await stage.shows(id, 'completed', 1)).toMatchObject({
      state: 'captured',
      amounts: { captured: usd('100.00'), refunded: usd('40.10'), reversed: usd('0.00') },
      refunds: [
        {
          providerRefundId: refundId,
          kind: 'refund',
          origin: 'elsewhere',
          amount: usd('40.10'),
          captureId,
          refundedAt: expect.any(String),
          timeline: [{ event: 'refundObserved', from: 'observed', to: 'completed' }],
        },
      ],
    });
    expect(await stage.rowOf(refundId)).toMatchObject({
      payment_id: id,
      minor: 4010,
      currency: 'USD',
      collected_id: captureId,
      timeline: [{ event: 'refundObserved', from_status: 'observed', to_status: 'completed' }],
    });
    // Started and told in one, one read with its row, closed: no event more.
    expect((await stage.historyOf(refundId)).length).toBeLessThanOrEqual(8);
    expect(await stage.engine.sandbox.booksOf(id)).toEqual(['hold 10000', 'capture 10000', 'refund 4010']);
  });

  it('is separate from equal later ones, up to the whole amount', async () => {
    const { id, captureId } = await stage.capturedPayment();
    await stage.engine.sandbox.refundElsewhere(captureId, '25.00');
    await stage.engine.sandbox.refundElsewhere(captureId, '25.00');
    expect((await stage.shows(id, 'completed', 2)).amounts.refunded).toEqual(usd('50.00'));
    await stage.engine.sandbox.refundElsewhere(captureId);
    expect((await stage.shows(id, 'completed', 3)).amounts.refunded).toEqual(usd('100.00'));
  });

  it('is taken from the provider, not from an event that says another amount and another payment', async () => {
    const { id, captureId } = await stage.capturedPayment();
    const other = await stage.capturedPayment();
    await stage.engine.sandbox.fault({ kind: 'drop_delivery', eventType: 'PAYMENT.CAPTURE.REFUNDED' });
    const refundId = await stage.engine.sandbox.refundElsewhere(captureId, '1.00');
    await stage.tell(refundId, { capture_id: other.captureId, amount: { total: '99.00', currency: 'USD' } });
    expect(await stage.showsOne(id, 'completed')).toMatchObject({
      providerRefundId: refundId,
      amount: usd('1.00'),
    });
    expect((await stage.engine.orders.get(other.id)).refunds).toEqual([]);
  });

  it('that is reported and never made moves nothing, and is unfounded once that is proved', async () => {
    const { id, captureId } = await stage.capturedPayment();
    const amount = { total: '99.00', currency: 'USD' };
    expect(await stage.tell('REFUND-THAT-NOBODY-MADE', { capture_id: captureId, amount })).toBe(200);
    expect(await stage.showsOne(id, 'unfounded')).toMatchObject({ amount: null, refundedAt: null });
    expect((await stage.engine.orders.get(id)).amounts.refunded).toEqual(usd('0.00'));
  });

  it('that is pending is read until the provider has completed or failed it, and ends like that', async () => {
    const refunded: { readonly id: string; readonly end: string }[] = [];
    for (const end of ['completed', 'failed', 'cancelled']) {
      const { id, captureId } = await stage.capturedPayment();
      await stage.configure({ refundOutcome: `pending_then_${end}`, refundSettleMs: 8_000 });
      const refundId = await stage.engine.sandbox.refundElsewhere(captureId, '12.00');
      // The provider has no event for a pending refund: whoever lists refunds may report it.
      await stage.tell(refundId, { capture_id: captureId });
      refunded.push({ id, end });
      const pending = await stage.shows(id, 'pending', 1);
      expect(pending.refunds).toMatchObject([{ amount: usd('12.00'), refundedAt: null }]);
      expect(pending.amounts.refunded).toEqual(usd('0.00'));
    }
    for (const { id, end } of refunded) {
      const amount = end === 'completed' ? '12.00' : '0.00';
      expect((await stage.shows(id, end, 1)).amounts.refunded).toEqual(usd(amount));
    }
  });

  it('that later shows another amount is recorded as a conflict once, and keeps its amount', async () => {
    const { id, captureId } = await stage.capturedPayment();
    // By itself it stays pending: between two ways of showing it, nothing of it is told.
    await stage.configure({ refundOutcome: 'pending_then_completed', refundSettleMs: 3_600_000 });
    const refundId = await stage.engine.sandbox.refundElsewhere(captureId, '12.00');
    await stage.tell(refundId, { capture_id: captureId });
    await stage.showsOne(id, 'pending');
    await stage.showRefundsAs({ state: 'completed', amount: { total: '13.00', currency: 'USD' } });
    const { timeline } = await until(
      () => stage.rowOf(refundId),
      (row) => row.timeline.some(({ kind }) => kind === 'conflict'),
      'the conflict to be recorded',
    );
    expect(timeline.at(-1)).toMatchObject({ from_status: 'pending', to_status: 'pending' });
    await stage.showRefundsAs({ state: 'completed' });
    expect(await stage.showsOne(id, 'completed')).toMatchObject({ amount: usd('12.00') });
    const conflicts = (await stage.rowOf(refundId)).timeline.filter(({ kind }) => kind === 'conflict');
    expect(conflicts).toHaveLength(1);
  });
});

describe('case 9: the event of a refund', () => {
  it('delivered fifty times at once starts one run and makes one row', async () => {
    const { id, captureId } = await stage.capturedPayment();
    const eventType = 'PAYMENT.CAPTURE.REFUNDED';
    await stage.engine.sandbox.fault({ kind: 'duplicate_delivery', copies: 49, eventType });
    const refundId = await stage.engine.sandbox.refundElsewhere(captureId);
    await stage.showsOne(id, 'completed');
    const reported = await until(
      async () => (await stage.eventsOf(id)).filter(({ resource }) => resource.id === refundId),
      ([event]) => (event?.deliveries ?? 0) >= 50,
      'all deliveries to be counted',
    );
    expect(reported).toHaveLength(1);
    const signals = (await stage.historyOf(refundId)).filter(
      (each) => each.workflowExecutionSignaledEventAttributes,
    );
    expect(signals).toHaveLength(1);
    expect((await stage.engine.orders.get(id)).refunds).toHaveLength(1);
  });
});

describe('case 10: a refund before the capture', () => {
  it('answers long polls, and is then read', async () => {
    const { orders, sandbox } = stage.engine;
    const { body } = await orders.order();
    // The answer has come, and is not on record.
    const openGate = await shutGate(
      stage.engine.db,
      'attempts',
      sql`new.outcome = 'answered' and new.subject_id = ${sql.lit(body.id)}`,
    );
    const capture = orders.capture(body.id);
    const parked = async (type: string) =>
      await until(
        async () => (await stage.eventsOf(body.id)).find(({ event_type }) => event_type === type),
        (event) => event?.status === 'parked',
        `${type} to wait`,
      );
    const captured = await parked('PAYMENT.CAPTURE.COMPLETED');
    const refundId = await sandbox.refundElsewhere(captured?.resource.id ?? '', '30.00');
    await parked('PAYMENT.CAPTURE.REFUNDED');
    await openGate();
    expect(await capture).toMatchObject({ status: 201, body: { payment: { state: 'captured' } } });
    expect(await stage.showsOne(body.id, 'completed')).toMatchObject({
      providerRefundId: refundId,
      amount: usd('30.00'),
    });
    expect(await sandbox.booksOf(body.id)).toEqual(['hold 10000', 'capture 10000', 'refund 3000']);
  });

  it('waits for lagging reads, of a refund and of a capture', async () => {
    const { id, captureId } = await stage.capturedPayment();
    const lags = { kind: 'stale_read', times: null };
    await stage.engine.sandbox.fault({ ...lags, operation: 'refund.get', lagMs: 1_500 });
    await stage.engine.sandbox.fault({ ...lags, operation: 'capture.get', lagMs: 2_500 });
    const refundId = await stage.engine.sandbox.refundElsewhere(captureId, '30.00');
    await stage.showsOne(id, 'completed');
    const { timeline } = await stage.rowOf(refundId);
    expect(timeline.at(-1)).toMatchObject({ kind: 'moved', to_status: 'completed' });
    expect(timeline.filter(({ kind }) => kind === 'conflict')).toEqual([]);
  });
});

describe('a refund while the provider is down', () => {
  it('is tried until it can be read', async () => {
    const { id, captureId } = await stage.capturedPayment();
    const away = { kind: 'status', operation: 'refund.get', status: 503, times: null };
    await stage.engine.sandbox.fault(away);
    const refundId = await stage.engine.sandbox.refundElsewhere(captureId);
    expect(await stage.showsOne(id, 'observed')).toMatchObject({ providerRefundId: refundId, amount: null });
    await stage.engine.sandbox.clearFaults();
    expect(await stage.showsOne(id, 'completed')).toMatchObject({ amount: usd('100.00') });
  });
});

describe('a refund of a first capture while the payment’s run is open', () => {
  it('has its own run, too, and the rest can still be captured', async () => {
    const { orders, sandbox } = stage.engine;
    const { body } = await orders.order();
    const first = await orders.capture(body.id, { amount: usd('40.00') });
    await sandbox.refundElsewhere(first.body.capture.id, '15.00');
    expect(await stage.showsOne(body.id, 'completed')).toMatchObject({ amount: usd('15.00') });
    const rest = await orders.capture(body.id, { amount: usd('60.00') });
    const amounts = { captured: usd('100.00'), refunded: usd('15.00') };
    expect(rest).toMatchObject({ status: 201, body: { payment: { state: 'captured', amounts } } });
  });
});
