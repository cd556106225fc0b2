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
import { type ClaimRoute, type Claimed, observeClaim } from './claims.js';
import { type EventRoute, routeEvent } from './event-route.js';

export interface TakenDelivery extends JournaledEvent {
  /** Nobody needs to be told of it: it was journaled as applied. */
  readonly isDone: boolean;
}

/**
 * Journals deliveries, those that tell nothing new as applied: most do, being the confirmation of what we did ourselves,
 * and each is one row written once instead of three times. What the row of the subject has already it will not lose, so
 * that no lock is needed; whatever else an event may come to, its dispatch decides.
 *
 * Claims count from then on: their rows are written before anybody acknowledges the delivery, for a dispatch may have to
 * wait for Temporal.
 *
 * @returns for each at its place what is in the journal.
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
    // Which of two contents is true the provider shows, when it is asked.
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

/** The event is in the journal: what is wrong with its claim its dispatch meets again. */
async function observeIfStorable(db: Database, claimed: Claimed, route: ClaimRoute): Promise<void> {
  try {
    await observeClaim(db, claimed, route);
  } catch (error) {
    if (isDatabaseAway(error)) throw error;
  }
}

/** An event must be kept also where something is wrong with what it is about: its dispatch meets that again. */
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
