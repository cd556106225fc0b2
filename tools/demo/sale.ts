import { randomUUID } from 'node:crypto';
import { Failure } from '../failure.js';
import type { DemoContext, PlayedLifecycle } from './demo-context.js';
import { OrderService } from './order-service.js';
import { approveAsPayer } from './payer.js';

/** An order is paid at once: create, approve as the payer, executed. */
export async function playSale(context: DemoContext): Promise<PlayedLifecycle> {
  const orderService = new OrderService(context);
  const orderId = `order-${randomUUID().slice(0, 8)}`;
  const created = await orderService.post('/v1/payments', {
    orderId,
    intent: 'sale',
    amount: { value: '10.00', currency: 'USD' },
    description: 'One demonstration',
    returnUrl: `https://shop.example/orders/${orderId}/paid`,
    cancelUrl: `https://shop.example/orders/${orderId}/cancelled`,
  });
  const { approvalUrl } = await orderService.until(created.id, ['awaiting_approval']);
  if (!approvalUrl) throw new Failure(`The payment ${created.id} awaits approval, but says not where.`);
  await approveAsPayer(approvalUrl, context);
  const { id, state } = await orderService.until(created.id, ['completed']);
  return { id, state };
}
