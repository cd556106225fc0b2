import { randomUUID } from 'node:crypto';
import { Failure } from '../failure.js';
import type { DemoContext, PlayedLifecycle } from './demo-context.js';
import { OrderService } from './order-service.js';
import { approveAsPayer } from './payer.js';

const collection = 'subscriptions';

/** A plan is made, subscribed to, suspended and reactivated, and billed for its one cycle, after which it expires. */
export async function playSubscription(context: DemoContext): Promise<PlayedLifecycle> {
  const orderService = new OrderService(context);
  const plan = await orderService.post('/v1/plans', {
    name: `Magazine ${randomUUID().slice(0, 8)}`,
    description: 'One month of the magazine',
    currency: 'USD',
    setupFee: '1.00',
    regular: { frequency: 'MONTH', cycles: 1, amount: '10.00' },
  });
  const ordered = await orderService.post('/v1/subscriptions', {
    planId: plan.id,
    startDate: new Date(Date.now() + 8_000).toISOString(),
    returnUrl: 'https://shop.example/subscribed',
    cancelUrl: 'https://shop.example/plans',
  });
  const { approvalUrl } = await orderService.until(ordered.id, ['awaiting_approval'], collection);
  if (!approvalUrl) throw new Failure(`The subscription ${ordered.id} awaits approval, but says not where.`);
  await approveAsPayer(approvalUrl, context);
  await orderService.until(ordered.id, ['active'], collection);
  await orderService.post(`/v1/subscriptions/${ordered.id}/suspend`, { note: 'On holiday' });
  await orderService.post(`/v1/subscriptions/${ordered.id}/reactivate`, { note: 'Back again' });
  const { id, state } = await orderService.until(ordered.id, ['expired'], collection);
  return { id, state };
}
