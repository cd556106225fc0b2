import type { KnownSubject } from '#database/events';
import { type PaymentMessage, type RefundMessage, type SubjectKind, kindOf } from '#workflows/contract';
import {
  amountsOf,
  contradictedAmount,
  isAlreadyKnown,
  type PaymentState,
  isTerminal,
} from '#workflows/lifecycle/payment';
import type { NotifiedResource } from '#workflows/lifecycle';
import {
  collectedBy,
  contradictsRefund,
  isLate,
  isOfAnother,
  isRefundAlreadyKnown,
  type RefundState,
  isRefundTerminal,
} from '#workflows/lifecycle/refund';
import { routePayoutEvent } from './payout-route.js';
import { type EventRoute, type RoutedEvent, isCallInFlight, parkedForAnswer, setStatus } from './route.js';
import { routePlanEvent, routeSubscriptionEvent } from './subscription-route.js';

export type { EventRoute, RoutedEvent } from './route.js';

/** How the events of each kind of subject are routed. */
const routes: Partial<Record<SubjectKind, (event: RoutedEvent, state: never) => EventRoute>> = {
  payment: routePaymentEvent,
  payout: routePayoutEvent,
  refund: routeRefundEvent,
  plan: routePlanEvent,
  subscription: routeSubscriptionEvent,
};

/**
 * Decides the route of an event. The subject's row must be locked if the event is to be parked.
 *
 * @param subject the event's subject.
 */
export function routeEvent(event: RoutedEvent, subject: KnownSubject): EventRoute {
  const route = routes[kindOf(subject)];
  if (!route) throw new Error('subjects of this kind have no webhook events');
  // The row was written by the lifecycle of its kind.
  return route(event, subject.state as never);
}

function routePaymentEvent(event: RoutedEvent, state: PaymentState): EventRoute {
  const { resource } = event;
  const claim = refundClaimOf(event);
  if (claim) return routeRefund(event, claim, state);
  if (isAlreadyKnown(state, resource)) return setStatus('applied', 'nothing new');
  if (isTerminal(state.status)) return routeLate(resource, state);
  if (isCallInFlight(state)) return parkedForAnswer;
  const message = { event: messageOf(event, state) };
  const contradiction = contradictedAmount(state, resource);
  return { kind: 'signal', message, ...(contradiction !== undefined && { contradiction }) };
}

type AdoptedClaim = Extract<EventRoute, { kind: 'adoptRefund' }>['claim'];

/** The route of an event about a known refund: its run reads the true state. */
function routeRefundEvent({ event_type, resource }: RoutedEvent, state: RefundState): EventRoute {
  if (isRefundAlreadyKnown(state, resource)) return setStatus('applied', 'nothing new');
  // A run of its own reads it: it counts beside this one, or corrects this one, which was given up before it was made.
  if (isOfAnother(state, resource) || isLate(state, resource)) {
    const claim = { kind: 'refund', providerRefundId: resource.id } as const;
    const { paymentId, patience } = state;
    return { kind: 'adoptRefund', paymentId, nameElsewhere: resource.id, claim, patience };
  }
  if (isRefundTerminal(state.status)) {
    return contradictsRefund(state, resource)
      ? setStatus('conflict', `contradicts a refund that is ${state.status}`)
      : setStatus('ignored', `late: the refund is ${state.status}`);
  }
  if (isCallInFlight(state)) return parkedForAnswer;
  const isEvidence = resource.id !== '' && state.openStep?.phase === 'doubt';
  const event: RefundMessage['event'] = {
    type: 'refundNotified',
    eventType: event_type,
    ...(isEvidence && { resourceId: resource.id }),
  };
  return { kind: 'signal', message: { event } };
}

/** A refund is not a step of the payment: it has a run of its own, even while the payment's run is open. */
function routeRefund(event: RoutedEvent, claim: AdoptedClaim, state: PaymentState): EventRoute {
  const { resource_ids = [] } = event;
  // The refund may belong to a capture whose answer has not come yet; after the answer the payment shows it. An event
  // that names a known capture does not wait: until the refund has a row, it does not reduce the refundable amount.
  const isOfKnown = collectedBy(state).some(({ id }) => resource_ids.includes(id));
  if (isCallInFlight(state) && !isOfKnown) return parkedForAnswer;
  return {
    kind: 'adoptRefund',
    nameElsewhere: claim.kind === 'refund' ? claim.providerRefundId : reversalName(event, claim),
    claim,
    patience: state.order.patience,
  };
}

/**
 * The event's id, unless it first came with another content: a forged event may have used that id for another reversal.
 */
function reversalName(
  { event_id, first_content: first }: RoutedEvent,
  { collected }: Extract<AdoptedClaim, { kind: 'reversal' }>,
): string {
  const isAnother = first && (first.resource.id !== collected.id || first.resource.kind !== collected.kind);
  return isAnother ? `${event_id}:${collected.id}` : event_id;
}

/** A chargeback is not a resource at the provider: its event contains the charged-back capture or sale. */
function refundClaimOf({
  event_id: eventId,
  event_type,
  resource: { kind, id, updatedAt, state },
}: RoutedEvent): AdoptedClaim | undefined {
  if (id === '') return undefined;
  if (kind === 'refund') return { kind: 'refund', providerRefundId: id };
  if (!isReversal(event_type, kind)) return undefined;
  const changed = updatedAt === undefined ? {} : { changedAt: updatedAt };
  const collected = { kind, id };
  return { kind: 'reversal', collected, eventId, ...changed, ...(state !== '' && { changedTo: state }) };
}

export function isReversal(eventType: string, kind: NotifiedResource['kind']): kind is 'capture' | 'sale' {
  return eventType.endsWith('.REVERSED') && (kind === 'capture' || kind === 'sale');
}

/**
 * An event is a hint that makes the run read the provider. An approval needs no read: it names the payer like the
 * payer's own return does, and the provider refuses to execute an unapproved payment.
 */
function messageOf({ event_type, resource }: RoutedEvent, state: PaymentState): PaymentMessage['event'] {
  if (resource.payerId !== undefined && state.status === 'awaiting_approval') {
    return { type: 'payerApproved', payerId: resource.payerId };
  }
  const isEvidence = resource.id !== '' && mayBeInDoubt(state, resource);
  return {
    type: 'providerNotified',
    eventType: event_type,
    isNews: true,
    ...(isEvidence && { resourceId: resource.id }),
  };
}

/** Whether the event's resource can be the result of the step with an unknown outcome. */
function mayBeInDoubt({ openStep }: PaymentState, { kind }: NotifiedResource): boolean {
  if (openStep?.phase !== 'doubt') return false;
  const { type } = openStep.step;
  return (
    (kind === 'capture' && type === 'captureAuthorization') ||
    (kind === 'authorization' && type === 'voidAuthorization')
  );
}

/** An ended payment does not change. A contradicting event becomes a conflict, a late one is ignored. */
function routeLate(resource: NotifiedResource, state: PaymentState): EventRoute {
  const amount = contradictedAmount(state, resource);
  if (amount !== undefined) return setStatus('conflict', amount);
  return contradicts(resource, state)
    ? setStatus('conflict', `contradicts a payment that is ${state.status}`)
    : setStatus('ignored', `late: the payment is ${state.status}`);
}

function contradicts({ kind, id, state: shown }: NotifiedResource, state: PaymentState): boolean {
  if (kind === 'authorization') {
    const isOurs = state.authorization?.authorizationId === id;
    return isOurs && shown === 'captured' && amountsOf(state).captured === 0;
  }
  if (kind === 'sale') return contradictsSale(id, shown, state);
  if (kind !== 'capture') return false;
  const known = state.captures.find(({ captureId }) => captureId === id);
  if (!known) return shown === 'completed' || shown === 'pending';
  return (
    (known.status === 'completed' && shown === 'denied') ||
    (known.status === 'denied' && shown === 'completed')
  );
}

/**
 * True if the event's sale contradicts the payment: money was taken although the payment ended without, or did not
 * arrive.
 */
function contradictsSale(id: string, shown: string, { sale }: PaymentState): boolean {
  const isTaken = shown === 'completed' || shown === 'pending';
  if (sale?.saleId !== id) return isTaken;
  return sale.status === 'denied' ? isTaken : shown === 'denied';
}
