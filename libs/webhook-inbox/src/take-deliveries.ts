import { type Database, isTemporary } from '#database/connection';
import {
  type Delivery,
  type AppliedEvent,
  findFirstContent,
  journalDeliveries,
  type KnownSubject,
  findSubjectsOf,
  type JournaledEvent,
  type NewWebhookEvent,
} from '#database/events';
import { type ClaimRoute, type Claimed, insertReportedRefund } from './reported-refund.js';
import { type EventRoute, type RoutedEvent, routeEvent } from './event-route.js';

export interface TakenDelivery extends JournaledEvent {
  /** True if no dispatch is needed: it was journaled as applied. */
  readonly isDone: boolean;
  /** How long its dispatch can wait; absent if it should come at once. */
  readonly waitMs?: number;
}

/**
 * The provider often reports a call before its answer is written, and the payer's approval before the payer is back.
 * After this wait the rows mostly have what the event reports. It is shorter than the time after which the sweep
 * dispatches the event.
 */
const echoWaitMs = 1_000;

/**
 * Journals deliveries. A delivery that has no news is journaled as applied. Most deliveries confirm our own
 * calls, and each then costs one row write instead of three. No lock is needed, because a subject's row never loses
 * what it has. The dispatch decides about all other events.
 *
 * Reported refunds count at once: their rows are written before the delivery is acknowledged, because a dispatch may
 * have to wait for Temporal.
 *
 * @returns the journaled event of each delivery, at its index.
 */
export async function takeDeliveries(
  db: Database,
  deliveries: readonly Delivery[],
): Promise<readonly TakenDelivery[]> {
  const subjects = await findSubjectsOf(
    db,
    deliveries.map(({ event }) => ({
      environment: event.environment,
      application: event.application,
      resource: event.resource,
      resource_ids: [...event.resourceIds],
    })),
  );
  const routes = deliveries.map(({ event }, place) => routeIfAny(event, subjects[place]));
  const routed = deliveries.map((delivery, place): Delivery => {
    const applied = appliedTo(routes[place], subjects[place]);
    return applied ? { ...delivery, applied } : delivery;
  });
  const journaled = await journalDeliveries(db, routed);
  for (const [place, { event }] of deliveries.entries()) {
    const [subject, route] = [subjects[place], routes[place]];
    if (!subject || route?.kind !== 'adoptRefund') continue;
    const claim = journaled[place]?.contradicts
      ? await contestedClaim(db, event, subject, journaled[place])
      : route;
    if (claim) await observeIfStorable(db, { ...event, subjectId: subject.id }, claim);
  }
  return journaled.map((each, place) => ({
    ...each,
    isDone: each.isNew && !each.contradicts && routed[place]?.applied !== undefined,
    ...(each.isNew && !each.contradicts && isEcho(routes[place]) && { waitMs: echoWaitMs }),
  }));
}

/** @param route undefined if no subject is known yet. */
function isEcho(route: EventRoute | undefined): boolean {
  if (!route) return true;
  if (route.kind === 'setStatus') return route.status === 'parked';
  return route.kind === 'signal' && route.message.event.type === 'payerApproved';
}

function appliedTo(
  route: EventRoute | undefined,
  subject: KnownSubject | undefined,
): AppliedEvent | undefined {
  if (!subject || route?.kind !== 'setStatus' || route.status !== 'applied') return undefined;
  return { subjectId: subject.id, detail: route.detail };
}

/**
 * The provider is asked which of several contents is true. Until it has answered, the claim of each counts, under the
 * name by which the run will know it. A claim without a cause is found to be unfounded.
 */
async function contestedClaim(
  db: Database,
  event: NewWebhookEvent,
  subject: KnownSubject,
  { id }: JournaledEvent,
): Promise<ClaimRoute | undefined> {
  const first = await findFirstContent(db, id);
  const route = first && routeIfAny(event, subject, first);
  return route?.kind === 'adoptRefund' ? route : undefined;
}

/** The event is in the inbox: its dispatch meets an error of the claim again. */
async function observeIfStorable(db: Database, claimed: Claimed, route: ClaimRoute): Promise<void> {
  try {
    await insertReportedRefund(db, claimed, route);
  } catch (error) {
    if (isTemporary(error)) throw error;
  }
}

/** An event must be stored even if its subject's row causes an error: its dispatch meets the error again. */
function routeIfAny(
  { eventId, eventType, resource, resourceIds }: NewWebhookEvent,
  subject: KnownSubject | undefined,
  firstContent: RoutedEvent['first_content'] = null,
): EventRoute | undefined {
  if (!subject) return undefined;
  try {
    const routed = { event_id: eventId, event_type: eventType, resource, resource_ids: [...resourceIds] };
    return routeEvent({ ...routed, first_content: firstContent }, subject);
  } catch {
    return undefined;
  }
}
