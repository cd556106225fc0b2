import { subscriptionRunAfterEnd } from '#runs';
import type { SubscriptionMessage } from '#workflows/contract';
import {
  isAlreadyKnown as planKnows,
  type PlanState,
  isTerminal as isEndOfPlan,
} from '#workflows/lifecycle/plan';
import {
  isAboutPayment,
  isAlreadyKnown,
  type SubscriptionState,
  isTerminal,
} from '#workflows/lifecycle/subscription';
import { type EventRoute, type RoutedEvent, isCallInFlight, parkedForAnswer, setStatus } from './route.js';

export function routePlanEvent({ event_type, resource }: RoutedEvent, state: PlanState): EventRoute {
  if (planKnows(state, resource)) return setStatus('applied', 'nothing new');
  if (isEndOfPlan(state.status)) return setStatus('ignored', `late: the plan is ${state.status}`);
  if (isCallInFlight(state)) return parkedForAnswer;
  const event = { type: 'providerNotified', eventType: event_type } as const;
  return { kind: 'signal', message: { event } };
}

/**
 * An event is a hint that makes the run read the agreement. An event about a payment makes it read the payments, too.
 */
export function routeSubscriptionEvent(
  { event_type, resource }: RoutedEvent,
  state: SubscriptionState,
): EventRoute {
  if (isAlreadyKnown(state, resource)) return setStatus('applied', 'nothing new');
  const event = {
    type: 'providerNotified',
    eventType: event_type,
    ...(isAboutPayment(resource) && { isAboutPayment: true }),
  } as const;
  const message = { event };
  if (isTerminal(state.status)) return routeLate(message, state);
  if (isCallInFlight(state)) return parkedForAnswer;
  return { kind: 'signal', message };
}

/**
 * Its run has closed or is about to: another run reads what comes after the end. An agreement that was never executed
 * bills nothing.
 */
function routeLate(message: Pick<SubscriptionMessage, 'event'>, state: SubscriptionState): EventRoute {
  if (state.agreementId === undefined)
    return setStatus('ignored', `late: the subscription is ${state.status}`);
  return { kind: 'startReading', runOf: (subject) => subscriptionRunAfterEnd(subject, state), message };
}
