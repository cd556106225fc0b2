import type { DemoContext, PlayedLifecycle } from './demo-context.js';
import { OrderService } from './order-service.js';
import { expectMovements, ofPayment } from './provider-books.js';

/**
 * A part of an order comes back, and then the rest of it; each is a refund with a run of its own.
 *
 * @returns the second refund.
 */
export async function playRefund(context: DemoContext): Promise<PlayedLifecycle> {
  const orderService = new OrderService(context);
  const paymentId = await orderService.orderAndApprove({
    intent: 'authorize',
    amount: { value: '100.00', currency: 'USD' },
    capturePolicy: { mode: 'automatic' },
  });
  await orderService.until(paymentId, ['captured']);
  const refunds = { collection: 'refunds' };
  const path = `/v1/payments/${paymentId}/refunds`;
  context.tell('order service', 'gives back 40.00 USD for a part that was returned');
  const part = await orderService.post(path, { amount: { value: '40.00', currency: 'USD' } });
  await orderService.until(part.id, ['completed'], refunds);
  context.tell('order service', 'gives back all that is left');
  const rest = await orderService.post(path, {});
  const { id, state } = await orderService.until(rest.id, ['completed'], refunds);
  const claimed = ['hold 10000', 'capture 10000', 'refund 4000', 'refund 6000'];
  await expectMovements(context, ofPayment(paymentId), claimed);
  return { id, state };
}
