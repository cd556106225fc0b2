import { randomUUID } from 'node:crypto';
import type { DemoContext, PlayedLifecycle } from './demo-context.js';
import { OrderService } from './order-service.js';
import { approveAsPayer } from './payer.js';
import { Failure } from '../failure.js';

/** An order is shipped in two parts, and the rest of its hold is given back to the payer. */
export async function playPartialCapture(context: DemoContext): Promise<PlayedLifecycle> {
  const orderService = new OrderService(context);
  const orderId = `order-${randomUUID().slice(0, 8)}`;
  const created = await orderService.post('/v1/payments', {
    orderId,
    intent: 'authorize',
    amount: { value: '100.00', currency: 'USD' },
    returnUrl: `https://shop.example/orders/${orderId}/paid`,
    cancelUrl: `https://shop.example/orders/${orderId}/cancelled`,
  });
  const { approvalUrl } = await orderService.until(created.id, ['awaiting_approval']);
  if (!approvalUrl) throw new Failure(`The payment ${created.id} awaits approval, but says not where.`);
  await approveAsPayer(approvalUrl, context);
  await orderService.until(created.id, ['authorized']);
  for (const value of ['40.00', '30.00']) {
    context.tell('order service', `ships a part worth ${value} USD`);
    await orderService.post(`/v1/payments/${created.id}/captures`, { amount: { value, currency: 'USD' } });
    await orderService.until(created.id, ['partially_captured']);
  }
  context.tell('order service', 'ships nothing more');
  await orderService.post(`/v1/payments/${created.id}/release`, {});
  const { id, state } = await orderService.until(created.id, ['captured']);
  return { id, state };
}
