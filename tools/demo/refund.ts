import { randomUUID } from 'node:crypto';
import { Failure } from '../failure.js';
import type { DemoContext, PlayedLifecycle } from './demo-context.js';
import { OrderService } from './order-service.js';
import { approveAsPayer } from './payer.js';

/** A part of an order comes back, and then the rest of it; each is a refund with a run of its own. */
export async function playRefund(context: DemoContext): Promise<PlayedLifecycle> {
  const orderService = new OrderService(context);
  const orderId = `order-${randomUUID().slice(0, 8)}`;
  const created = await orderService.post('/v1/payments', {
    orderId,
    intent: 'authorize',
    amount: { value: '100.00', currency: 'USD' },
    returnUrl: `https://shop.example/orders/${orderId}/paid`,
    cancelUrl: `https://shop.example/orders/${orderId}/cancelled`,
    capturePolicy: { mode: 'automatic' },
  });
  const { approvalUrl } = await orderService.until(created.id, ['awaiting_approval']);
  if (!approvalUrl) throw new Failure(`The payment ${created.id} awaits approval, but says not where.`);
  await approveAsPayer(approvalUrl, context);
  await orderService.until(created.id, ['captured']);
  const refunds = `/v1/payments/${created.id}/refunds`;
  context.tell('order service', 'gives back 40.00 USD for a part that was returned');
  const part = await orderService.post(refunds, { amount: { value: '40.00', currency: 'USD' } });
  await orderService.until(part.id, ['completed'], 'refunds');
  context.tell('order service', 'gives back all that is left');
  const rest = await orderService.post(refunds, {});
  const { id, state } = await orderService.until(rest.id, ['completed'], 'refunds');
  return { id, state };
}
