import type { Stage, ToldEvent } from './stage.js';

/** What somebody says who knows the secret address, and can sign nothing: of what is there, and not as it is. */
const lies: Partial<Record<string, readonly string[]>> = {
  authorization: ['voided', 'expired', 'captured', 'authorized'],
  capture: ['completed', 'denied', 'pending'],
  sale: ['completed', 'denied', 'pending'],
  refund: ['completed', 'failed'],
  payout: ['SUCCESS', 'DENIED'],
  payout_item: ['SUCCESS', 'RETURNED', 'UNCLAIMED'],
  agreement: ['Cancelled', 'Suspended', 'Active'],
};

/** Delivers the provider's events as it may: late, twice, out of order, or not at all. */
export function deliverWebhooks(stage: Stage): void {
  const { world, provider } = stage;
  const { clock, draws, faults } = world;
  const deliver = (event: ToldEvent) =>
    clock.after(draws.spread('delivery', 5, 1_000), () => void stage.notify(event));
  provider.payouts.onEvent = (_batch, { kind, id: resourceId, state }) =>
    tell({ id: world.nextId('WH-'), eventType: `PAYMENT.PAYOUTS.${state}`, kind, resourceId, state });
  provider.agreements.onEvent = ({ kind, id: resourceId, state }) =>
    tell({ id: world.nextId('WH-'), eventType: `BILLING.${state.toUpperCase()}`, kind, resourceId, state });
  provider.payments.onEvent = (event) => tell(event);

  function tell(event: ToldEvent): void {
    const said = lies[event.kind];
    if (said && faults.strikes('webhook forged', 0.03, `an event of ${event.kind} is forged`)) {
      const state = draws.pick('lie', said);
      const id = world.nextId('WH-');
      const eventType = `${event.eventType.replace(/[A-Z]+$/, '')}${state.toUpperCase()}`;
      deliver({ ...event, id, eventType, state });
    }
    if (draws.chance('no webhook', 0.3)) return;
    if (faults.strikes('webhook late', 0.05, `webhook ${event.eventType} comes late`)) {
      clock.after(draws.spread('webhook late', 1_000, 600_000), () => void deliver(event));
      return;
    }
    deliver(event);
    if (faults.strikes('webhook twice', 0.05, `webhook ${event.eventType} comes twice`)) deliver(event);
  }
}
