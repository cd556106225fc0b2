import { type Database, isDatabaseAway } from '#database/connection';
import {
  type Delivery,
  type AppliedEvent,
  journalDeliveries,
  type KnownSubject,
  findSubjectsOf,
  type JournaledEvent,
  type NewWebhookEvent,
} from '#database/events';
import { type ClaimRoute, type Claimed, insertReportedRefund } from './reported-refund.js';
import { type EventRoute, routeEvent } from './event-route.js';

export interface TakenDelivery extends JournaledEvent {
  /** True if no dispatch is needed: it was journaled as applied. */
  readonly isDone: boolean;
}

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
    // The provider is asked which of two contents is true.
    if (!subject || route?.kind !== 'startRefund' || journaled[place]?.contradicts) continue;
    await observeIfStorable(db, { ...event, subjectId: subject.id }, route);
  }
  return journaled.map((each, place) => ({
    ...each,
    isDone: each.isNew && !each.contradicts && routed[place]?.applied !== undefined,
  }));
}

function appliedTo(
  route: EventRoute | undefined,
  subject: KnownSubject | undefined,
): AppliedEvent | undefined {
  if (!subject || route?.kind !== 'setStatus' || route.status !== 'applied') return undefined;
  return { subjectId: subject.id, detail: route.detail };
}

/** The event is in the inbox: its dispatch meets an error of the claim again. */
async function observeIfStorable(db: Database, claimed: Claimed, route: ClaimRoute): Promise<void> {
  try {
    await insertReportedRefund(db, claimed, route);
  } catch (error) {
    if (isDatabaseAway(error)) throw error;
  }
}

/** An event must be stored even if its subject's row causes an error: its dispatch meets the error again. */
function routeIfAny(
  { eventId, eventType, resource }: NewWebhookEvent,
  subject: KnownSubject | undefined,
): EventRoute | undefined {
  if (!subject) return undefined;
  try {
    return routeEvent({ event_id: eventId, event_type: eventType, resource }, subject);
  } catch {
    return undefined;
  }
}
