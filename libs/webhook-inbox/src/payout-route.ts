import { tellsNothingNew } from '../../workflows/src/lifecycle/payout/notification.js';
import { type PayoutState, isTerminal } from '../../workflows/src/lifecycle/payout/payout.js';
import type { EventRoute, RoutedEvent } from './route.js';

/** An event of a batch or of one of its items is a hint, upon which the run reads the provider. */
export function routePayoutEvent(
  { event_id, event_type, resource }: RoutedEvent,
  state: PayoutState,
): EventRoute {
  if (tellsNothingNew(state, resource)) {
    return { kind: 'settle', status: 'applied', detail: 'a read of the batch shows it' };
  }
  // Its run has closed: what a receiver has given back since is for a person to see.
  if (isTerminal(state.status)) {
    const detail = `an item is ${resource.state} since the payout was ${state.status}`;
    return { kind: 'settle', status: 'conflict', detail };
  }
  // Its answer will tell more than the event does; who writes that answer claims the event.
  if (state.providerBatchId === undefined) {
    return { kind: 'settle', status: 'parked', detail: 'a call to the provider is in flight' };
  }
  const event = { type: 'providerNotified', eventType: event_type } as const;
  return { kind: 'signal', message: { id: event_id, event } };
}
