import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { Failure } from '../failure.js';
import type { DemoContext, PlayedLifecycle } from './demo-context.js';
import { OrderService } from './order-service.js';
import { expectMovements, ofAgreementWith } from './provider-books.js';

const collection = 'subscriptions';

const paymentsSchema = z.object({ data: z.array(z.object({ id: z.string() })) });

/** A plan is made, subscribed to, suspended and reactivated, and billed for its one cycle, after which it expires. */
export async function playSubscription(context: DemoContext): Promise<PlayedLifecycle> {
  const orderService = new OrderService(context);
  const planId = await makePlan(orderService, { setupFee: '1.00', cycles: 1 });
  const { id, token } = await subscribe(orderService, planId);
  await orderService.post(`/v1/subscriptions/${id}/suspend`, { note: 'On holiday' });
  await orderService.post(`/v1/subscriptions/${id}/reactivate`, { note: 'Back again' });
  await passMonth(context, token);
  const { state } = await orderService.until(id, ['expired'], { collection });
  const { data: payments } = paymentsSchema.parse(
    await orderService.exchange('GET', `/v1/subscriptions/${id}/payments`),
  );
  const ofAgreement = await ofAgreementWith(
    context,
    payments.map((payment) => payment.id),
  );
  await expectMovements(context, ofAgreement, ['sale 100', 'sale 1000']);
  return { id, state };
}

/** A month passes: the provider bills the next cycle now instead of on its date. */
export async function passMonth({ sandbox, tell, signal }: DemoContext, token: string): Promise<void> {
  tell('provider', 'lets a month pass, and bills the next cycle');
  const address = `${sandbox.url}/admin/billing-agreements/${token}/bill-next-cycle`;
  const { status, ok } = await fetch(address, { method: 'POST', signal });
  if (!ok) throw new Failure(`The sandbox could not bill the next cycle: ${status}.`);
}

/**
 * A plan by the month, of 10.00 USD each, under a name of its own.
 *
 * @returns its id, once it can be subscribed to.
 */
export async function makePlan(
  orderService: OrderService,
  { cycles, setupFee }: { readonly cycles: number; readonly setupFee?: string },
): Promise<string> {
  const { id } = await orderService.post('/v1/plans', {
    name: `Magazine ${randomUUID().slice(0, 8)}`,
    description: 'A month of the magazine',
    currency: 'USD',
    ...(setupFee !== undefined && { setupFee }),
    regular: { frequency: 'MONTH', cycles, amount: '10.00' },
  });
  await orderService.until(id, ['active'], { collection: 'plans' });
  return id;
}

/**
 * Ordered, and approved by its payer. Its first cycle is a month away.
 *
 * @returns its id, and the provider's token of the approval, once it is active.
 */
export async function subscribe(
  orderService: OrderService,
  planId: string,
): Promise<{ readonly id: string; readonly token: string }> {
  const { id } = await orderService.post('/v1/subscriptions', {
    planId,
    startDate: new Date(Date.now() + 30 * 86_400_000).toISOString(),
    returnUrl: 'https://shop.example/subscribed',
    cancelUrl: 'https://shop.example/plans',
  });
  const token = await orderService.approve(id, collection);
  await orderService.until(id, ['active'], { collection });
  return { id, token };
}
