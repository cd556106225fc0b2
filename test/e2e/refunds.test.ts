import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Engine, startEngine } from '../helpers/engine.js';
import type { PaymentView } from '../helpers/order-service.js';
import { until } from '../helpers/until.js';

/** Refunds and chargebacks made at the provider by somebody else; the engine hears of them by webhook alone. */
let engine: Engine;
beforeAll(async () => {
  engine = await startEngine({ approval: 'immediate' });
  await until(
    () => engine.db.selectFrom('provider_webhooks').selectAll().execute(),
    (webhooks) => webhooks.length === 1,
    'the webhook to be registered',
  );
});
afterAll(async () => {
  await engine.close();
});

const usd = (value: string) => ({ value, currency: 'USD' });

async function capturedPayment(): Promise<{ readonly id: string; readonly captureId: string }> {
  const { body } = await engine.orders.order({ capturePolicy: { mode: 'automatic' } });
  const { captures } = await engine.orders.reaches(body.id, 'captured');
  return { id: body.id, captureId: captures[0]?.id ?? '' };
}

async function showsRefunds(id: string, holds: (refunds: PaymentView['refunds']) => boolean) {
  return await until(
    () => engine.orders.get(id),
    ({ refunds }) => holds(refunds),
    `the refunds of ${id}`,
  );
}

const isCompleted = (refunds: PaymentView['refunds']) =>
  refunds.length === 1 && refunds[0]?.status === 'completed';

describe('case 11: a refund after the run has closed', () => {
  it('starts a run of its own, and is shown with what the provider shows of it', async () => {
    const { id, captureId } = await capturedPayment();
    const refundId = await engine.sandbox.refundElsewhere(captureId, '40.10');
    const payment = await showsRefunds(id, isCompleted);
    expect(payment).toMatchObject({
      state: 'captured',
      amounts: { captured: usd('100.00'), refunded: usd('40.10'), reversed: usd('0.00') },
      refunds: [
        {
          id: refundId,
          kind: 'refund',
          amount: usd('40.10'),
          captureId,
          refundedAt: expect.any(String),
        },
      ],
    });
  });
});
