import type { DemoContext, PlayedLifecycle } from './demo-context.js';
import { OrderService } from './order-service.js';
import { expectMovements, ofPayment } from './provider-books.js';

/** An order becomes a captured payment: create, approve as the payer, capture. */
export async function playAuthorize(context: DemoContext): Promise<PlayedLifecycle> {
  const orderService = new OrderService(context);
  const id = await orderService.orderAndApprove({
    intent: 'authorize',
    amount: { value: '10.00', currency: 'USD' },
    description: 'One demonstration',
    capturePolicy: { mode: 'manual' },
  });
  await orderService.until(id, ['authorized']);
  await orderService.post(`/v1/payments/${id}/captures`, {});
  const { state } = await orderService.until(id, ['captured']);
  await expectMovements(context, ofPayment(id), ['hold 1000', 'capture 1000']);
  return { id, state };
}
