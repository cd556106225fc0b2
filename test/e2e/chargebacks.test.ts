import { afterEach, describe, expect, it } from 'vitest';
import { forAllTests } from '../helpers/shared.js';
import { until } from '../helpers/until.js';
import { RefundStage } from './refund-stage.js';
import { usd } from '../helpers/usd.js';

const stage = forAllTests(() => RefundStage.start());
afterEach(() => stage.reset());

describe('a chargeback', () => {
  it('reduces what can be refunded by its amount, and stays shown', async () => {
    const { orders, sandbox } = stage.engine;
    const { id, captureId } = await stage.capturedPayment();
    await orders.refund(id, { amount: usd('30.00') });
    await sandbox.chargeBack(captureId);
    await stage.shows(id, 'completed', 2);
    expect(await orders.refund(id)).toMatchObject({ status: 409, body: { code: 'nothing_refundable' } });
    expect((await orders.get(id)).amounts).toMatchObject({ refunded: usd('30.00'), reversed: usd('70.00') });
  });

  it('case 35: that is known and cannot be read counts at once, and no refund is sent', async () => {
    const { orders, sandbox } = stage.engine;
    const { id, captureId } = await stage.capturedPayment();
    await sandbox.fault({ kind: 'status', operation: 'capture.get', status: 503, times: null });
    await sandbox.chargeBack(captureId, '70.00');
    const { amounts, allowedActions } = await stage.shows(id, 'observed', 1);
    expect(amounts).toMatchObject({ refunded: usd('0.00'), refundable: null, reversed: null });
    expect(allowedActions).not.toContain('refund');
    const before = (await stage.refundPosts()).length;
    const unknown = { status: 409, body: { code: 'refundable_amount_unknown' } };
    for (const body of [{}, { amount: usd('1.00') }])
      expect(await orders.refund(id, body)).toMatchObject(unknown);
    expect((await stage.refundPosts()).length).toBe(before);
    expect(await sandbox.booksOf(id)).toEqual(['hold 10000', 'capture 10000', 'reversal 7000']);
  });

  it('case 35: of a sale counts likewise, and is shown once it can be read', async () => {
    const { orders, sandbox } = stage.engine;
    const { id } = (await orders.order({ intent: 'sale' })).body;
    const { sale } = await orders.reaches(id, 'completed');
    await sandbox.fault({ kind: 'status', operation: 'sale.get', status: 503, times: null });
    await sandbox.chargeBackSale(sale?.id ?? '');
    await stage.shows(id, 'observed', 1);
    expect(await orders.refund(id)).toMatchObject({
      status: 409,
      body: { code: 'refundable_amount_unknown' },
    });
    await sandbox.clearFaults();
    expect((await stage.shows(id, 'completed', 1)).amounts).toMatchObject({ reversed: usd('100.00') });
    expect(await orders.refund(id)).toMatchObject({ status: 409, body: { code: 'nothing_refundable' } });
    expect(await sandbox.booksOf(id)).toEqual(['sale 10000', 'reversal 10000']);
  });

  it('of an unknown amount leaves nothing to refund', async () => {
    const { orders, sandbox } = stage.engine;
    const { id, captureId } = await stage.capturedPayment();
    await sandbox.chargeBack(captureId, '30.00');
    await stage.shows(id, 'completed', 1);
    const refused = await orders.refund(id, { amount: usd('1.00') });
    expect(refused).toMatchObject({ status: 409, body: { code: 'refundable_amount_unknown' } });
  });

  it('of all that refunds have left is shown with its amount, apart from them', async () => {
    const { id, captureId } = await stage.capturedPayment();
    await stage.engine.sandbox.refundElsewhere(captureId, '30.00');
    await stage.showsOne(id, 'completed');
    await stage.engine.sandbox.chargeBack(captureId);
    expect(await stage.shows(id, 'completed', 2)).toMatchObject({
      state: 'captured',
      amounts: { captured: usd('100.00'), refunded: usd('30.00'), reversed: usd('70.00') },
      refunds: [{ kind: 'refund' }, { kind: 'reversal', amount: usd('70.00') }],
    });
  });

  it('is shown with that amount even if the payment shows the refunds late', async () => {
    const { id, captureId } = await stage.capturedPayment();
    const lagging = { kind: 'stale_read', operation: 'payment.get', lagMs: 2_500, times: null };
    await stage.engine.sandbox.fault(lagging);
    await stage.engine.sandbox.refundElsewhere(captureId, '30.00');
    await stage.engine.sandbox.chargeBack(captureId);
    const { amounts } = await stage.shows(id, 'completed', 2);
    expect(amounts).toMatchObject({ refunded: usd('30.00'), reversed: usd('70.00') });
  });

  it('after another one is not shown with the amount of both, and the sum is when reads lag behind the first', async () => {
    const { id, captureId } = await stage.capturedPayment();
    await stage.engine.sandbox.chargeBack(captureId, '30.00');
    const { refundedAt } = await stage.showsOne(id, 'completed');
    // The provider tells when by the second: of two in one second nobody could say which a read shows.
    await until(
      async () => Date.now(),
      (now) => now > Date.parse(refundedAt ?? '') + 1_000,
      'another second',
    );
    const lagging = { kind: 'stale_read', operation: 'capture.get', lagMs: 2_000, times: null };
    await stage.engine.sandbox.fault(lagging);
    await stage.engine.sandbox.chargeBack(captureId);
    expect(await stage.shows(id, 'completed', 2)).toMatchObject({
      amounts: { refunded: usd('0.00'), reversed: usd('100.00') },
      refunds: [{ amount: null }, { amount: null }],
    });
  });

  it('of a part is shown without an amount when the provider does not show it', async () => {
    const { id, captureId } = await stage.capturedPayment();
    await stage.engine.sandbox.chargeBack(captureId, '30.00');
    expect(await stage.shows(id, 'completed', 1)).toMatchObject({
      amounts: { refunded: usd('0.00'), reversed: null },
      refunds: [{ kind: 'reversal', amount: null }],
    });
  });
});
