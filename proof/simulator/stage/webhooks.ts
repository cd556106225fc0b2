import type { Stage } from './stage.js';

type ToldEvent = Parameters<Stage['notify']>[0];

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
    if (draws.chance('no webhook', 0.3)) return;
    if (faults.strikes('webhook late', 0.05, `webhook ${event.eventType} comes late`)) {
      clock.after(draws.spread('webhook late', 1_000, 600_000), () => void deliver(event));
      return;
    }
    deliver(event);
    if (faults.strikes('webhook twice', 0.05, `webhook ${event.eventType} comes twice`)) deliver(event);
  }
}
