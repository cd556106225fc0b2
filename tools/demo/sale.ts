import type { DemoContext, PlayedLifecycle } from './demo-context.js';
import { OrderService } from './order-service.js';
import { expectMovements, ofPayment } from './provider-books.js';

/** An order is paid at once: create, approve as the payer, executed. */
export async function playSale(context: DemoContext): Promise<PlayedLifecycle> {
  const orderService = new OrderService(context);
  const id = await orderService.orderAndApprove({
    intent: 'sale',
    amount: { value: '10.00', currency: 'USD' },
    description: 'One demonstration',
  });
  const { state } = await orderService.until(id, ['completed']);
  await expectMovements(context, ofPayment(id), ['sale 1000']);
  return { id, state };
}
