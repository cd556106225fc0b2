import type { DemoContext, PlayedLifecycle } from './demo-context.js';
import { OrderService } from './order-service.js';
import { expectMovements, ofPayment } from './provider-books.js';

/** An order is shipped in two parts, and the rest of its hold is given back to the payer. */
export async function playPartialCapture(context: DemoContext): Promise<PlayedLifecycle> {
  const orderService = new OrderService(context);
  const id = await orderService.orderAndApprove({
    intent: 'authorize',
    amount: { value: '100.00', currency: 'USD' },
  });
  await orderService.until(id, ['authorized']);
  for (const value of ['40.00', '30.00']) {
    context.tell('order service', `ships a part worth ${value} USD`);
    await orderService.post(`/v1/payments/${id}/captures`, { amount: { value, currency: 'USD' } });
    await orderService.until(id, ['partially_captured']);
  }
  context.tell('order service', 'ships nothing more');
  await orderService.post(`/v1/payments/${id}/release`, {});
  const { state } = await orderService.until(id, ['captured']);
  const claimed = ['hold 10000', 'capture 4000', 'capture 3000', 'release 3000'];
  await expectMovements(context, ofPayment(id), claimed);
  return { id, state };
}
