import { tellsNothingNew as planKnows } from '../../workflows/src/lifecycle/plan/notification.js';
import { type PlanState, isTerminal as isEndOfPlan } from '../../workflows/src/lifecycle/plan/plan.js';
import { isAboutPayment, tellsNothingNew } from '../../workflows/src/lifecycle/subscription/notification.js';
import {
  type SubscriptionState,
  isTerminal,
} from '../../workflows/src/lifecycle/subscription/subscription.js';
import type { EventRoute, RoutedEvent } from './route.js';

export function routePlanEvent(
  { event_id, event_type, resource }: RoutedEvent,
  state: PlanState,
): EventRoute {
  if (planKnows(state, resource)) return settle('applied', 'nothing new');
  if (isEndOfPlan(state.status)) return settle('ignored', `late: the plan is ${state.status}`);
  if (state.openStep?.phase === 'running') return settle('parked', 'a call to the provider is in flight');
  return signal(event_id, { eventType: event_type });
}

/** An event is a hint, upon which the run reads the agreement; about a payment, its payments as well. */
export function routeSubscriptionEvent(
  { event_id, event_type, resource }: RoutedEvent,
  state: SubscriptionState,
): EventRoute {
  if (tellsNothingNew(state, resource)) return settle('applied', 'nothing new');
  if (isTerminal(state.status)) return routeLate(resource, state);
  // Its answer will tell more than the event does; who writes that answer claims the event.
  if (state.openStep?.phase === 'running') return settle('parked', 'a call to the provider is in flight');
  return signal(event_id, {
    eventType: event_type,
    ...(isAboutPayment(resource) && { isAboutPayment: true }),
  });
}

/** An ended subscription stays as it ended; that its agreement is billed again is kept in sight. */
function routeLate(
  { kind, state: shown }: RoutedEvent['resource'],
  { status }: SubscriptionState,
): EventRoute {
  const isBilled = kind === 'agreement' && (shown === 'Active' || shown === 'Pending');
  return isBilled
    ? settle('conflict', `contradicts a subscription that is ${status}`)
    : settle('ignored', `late: the subscription is ${status}`);
}

function signal(
  id: string,
  told: { readonly eventType: string; readonly isAboutPayment?: boolean },
): EventRoute {
  return { kind: 'signal', message: { id, event: { type: 'providerNotified', ...told } } as const };
}

function settle(status: 'applied' | 'ignored' | 'parked' | 'conflict', detail: string): EventRoute {
  return { kind: 'settle', status, detail };
}
