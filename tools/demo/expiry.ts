import { randomUUID } from 'node:crypto';
import { Failure } from '../failure.js';
import type { DemoContext, PlayedLifecycle } from './demo-context.js';
import { OrderService } from './order-service.js';
import { withSandboxSettings } from './sandbox-settings.js';

/** The provider's day, so that 29 of them pass in well under a minute. */
const dayLengthMs = 1_250;

/**
 * The 29 days of a hold that nobody captures: warnings, the funds held anew whenever they are not guaranteed any more,
 * and in the end the policy's capture.
 */
export async function playExpiry(context: DemoContext): Promise<PlayedLifecycle> {
  const settings = {
    dayLengthMs,
    approval: 'immediate',
    reauthorizationId: 'new',
    reauthorizationTimes: 'many',
  };
  context.tell(
    'provider',
    `makes its days ${dayLengthMs / 1_000} s long, 29 of which are the capture window`,
  );
  return await withSandboxSettings(context, settings, () => live(context));
}

async function live(context: DemoContext): Promise<PlayedLifecycle> {
  const orderService = new OrderService(context);
  const orderId = `order-${randomUUID().slice(0, 8)}`;
  const { id } = await orderService.post('/v1/payments', {
    orderId,
    intent: 'authorize',
    amount: { value: '100.00', currency: 'USD' },
    returnUrl: `https://shop.example/orders/${orderId}/paid`,
    cancelUrl: `https://shop.example/orders/${orderId}/cancelled`,
    honourPolicy: { action: 'warn', reauthorize: 'as_allowed' },
    expiryPolicy: { action: 'capture' },
  });
  const { state } = await orderService.until(id, ['captured', 'voided', 'expired']);
  const story = await orderService.timeline(id);
  const renewals = story.filter(({ event }) => event === 'authorizationRenewed');
  for (const { event, to, at } of story) context.tell('timeline', `${at}  ${event} → ${to}`);
  if (renewals.length === 0) throw new Failure(`The hold of ${id} was never held anew.`);
  context.tell('engine', `held the funds anew ${renewals.length} times, then captured them`);
  return { id, state };
}
