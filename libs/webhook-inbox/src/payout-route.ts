import { payoutRunAfterEnd } from '#runs';
import type { PayoutRunEvent } from '#workflows/contract';
import { isOfEndedItem, isAlreadyKnown, type PayoutState, isTerminal } from '#workflows/lifecycle/payout';
import { type EventRoute, type RoutedEvent, parkedForAnswer, setStatus } from './route.js';

/** An event of a batch or an item is a hint that makes the run read the provider. */
export function routePayoutEvent({ event_type, resource }: RoutedEvent, state: PayoutState): EventRoute {
  if (isAlreadyKnown(state, resource)) return setStatus('applied', 'a read of the batch shows it');
  if (state.providerBatchId === undefined) return parkedForAnswer;
  const event: PayoutRunEvent = {
    type: 'providerNotified',
    eventType: event_type,
    ...(isOfEndedItem(state, resource) && { isOfEndedItem: true }),
  };
  const message = { event };
  // Its run has closed or is about to: another run reads what came after the end.
  return isTerminal(state.status)
    ? { kind: 'startReading', runOf: (subject) => payoutRunAfterEnd(subject, state), message }
    : { kind: 'signal', message };
}
