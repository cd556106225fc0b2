import { randomUUID } from 'node:crypto';
import { type Engine, type EngineOptions, startEngine } from '../helpers/engine.js';
import { providerIdOf } from './payment-rows.js';

/** Hears by address secret, and nothing of the provider itself: a test posts what the provider would. */
export async function startEngineToPostTo(options: Pick<EngineOptions, 'sweeps'> = {}): Promise<Engine> {
  const engine = await startEngine({
    ...options,
    webhookAuthentication: 'addressSecret',
    withSecondApi: true,
    patience: { firstPollMs: 60_000, longestPollMs: 60_000 },
  });
  await engine.sandbox.fault({
    clientId: engine.sandbox.clientId,
    operation: '*',
    kind: 'drop_delivery',
    times: null,
  });
  return engine;
}

/** Posts an event as the provider would, to one API or the other. @returns the status that it was answered with. */
export async function deliver(
  { webhookUrls }: Engine,
  event: Record<string, unknown>,
  which: 0 | 1 = 0,
): Promise<number> {
  const response = await fetch(webhookUrls[which] ?? '', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ create_time: new Date().toISOString(), summary: 'a test', links: [], ...event }),
  });
  await response.arrayBuffer();
  return response.status;
}

export const approvalOf = (providerPaymentId: string, id: string = randomUUID()) => ({
  id,
  resource_type: 'payment',
  event_type: 'PAYMENTS.PAYMENT.CREATED',
  resource: { id: providerPaymentId, state: 'created', intent: 'authorize' },
});

export async function inboxRow({ db }: Engine, eventId: string) {
  return await db
    .selectFrom('webhook_events')
    .selectAll()
    .where('event_id', '=', eventId)
    .executeTakeFirstOrThrow();
}

export async function approvedPayment(
  engine: Engine,
): Promise<{ readonly id: string; readonly providerPaymentId: string }> {
  const { body } = await engine.orders.order();
  const providerPaymentId = await providerIdOf(engine, body.id);
  await engine.sandbox.approve(providerPaymentId);
  return { id: body.id, providerPaymentId };
}
