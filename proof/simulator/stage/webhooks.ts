import type { BookedEvent } from '../provider/payment-books.js';
import type { Stage } from './stage.js';

/** Delivers the provider's events as it may: late, twice, out of order, or not at all. */
export function deliverWebhooks(stage: Stage): void {
  const { world, provider } = stage;
  const { clock, draws, faults } = world;
  const deliver = (event: BookedEvent) =>
    clock.after(draws.spread('delivery', 5, 1_000), () => void stage.notify(event));
  provider.payments.onEvent = (event) => {
    if (draws.chance('no webhook', 0.3)) return;
    if (faults.strikes('webhook late', 0.05, `webhook ${event.eventType} comes late`)) {
      clock.after(draws.spread('webhook late', 1_000, 600_000), () => void deliver(event));
      return;
    }
    deliver(event);
    if (faults.strikes('webhook twice', 0.05, `webhook ${event.eventType} comes twice`)) deliver(event);
  };
}
