import { randomUUID } from 'node:crypto';
import { Failure } from '../failure.js';
import type { DemoContext, PlayedLifecycle } from './demo-context.js';
import { OrderService } from './order-service.js';
import { approveAsPayer } from './payer.js';

/** An order becomes a captured payment: create, approve as the payer, capture. */
export async function playAuthorize(context: DemoContext): Promise<PlayedLifecycle> {
  const orderService = new OrderService(context);
  const orderId = `order-${randomUUID().slice(0, 8)}`;
  const created = await orderService.post('/v1/payments', {
    orderId,
    intent: 'authorize',
    amount: { value: '10.00', currency: 'USD' },
    description: 'One demonstration',
    returnUrl: `https://shop.example/orders/${orderId}/paid`,
    cancelUrl: `https://shop.example/orders/${orderId}/cancelled`,
    capturePolicy: { mode: 'manual' },
  });
  // The first answer may come before the provider's: 202, without an approvalUrl yet.
  const { approvalUrl } = await orderService.until(created.id, ['awaiting_approval']);
  if (!approvalUrl) throw new Failure(`The payment ${created.id} awaits approval, but says not where.`);
  await approveAsPayer(approvalUrl, context);
  await orderService.until(created.id, ['authorized']);
  await orderService.post(`/v1/payments/${created.id}/captures`, {});
  const { id, state } = await orderService.until(created.id, ['captured']);
  return { id, state };
}
