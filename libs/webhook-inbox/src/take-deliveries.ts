import type { Database } from '#database/connection';
import {
  type Delivery,
  type AppliedEvent,
  journalDeliveries,
  type KnownSubject,
  findSubjectsOf,
  type JournaledEvent,
  type NewWebhookEvent,
} from '#database/events';
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
  const routed = deliveries.map((delivery, place): Delivery => {
    const applied = appliedTo(delivery.event, subjects[place]);
    return applied ? { ...delivery, applied } : delivery;
  });
  const journaled = await journalDeliveries(db, routed);
  return journaled.map((each, place) => ({
    ...each,
    isDone: each.isNew && !each.contradicts && routed[place]?.applied !== undefined,
  }));
}

function appliedTo(event: NewWebhookEvent, subject: KnownSubject | undefined): AppliedEvent | undefined {
  if (!subject) return undefined;
  const route = routeIfAny(event, subject);
  if (route?.kind !== 'setStatus' || route.status !== 'applied') return undefined;
  return { subjectId: subject.id, detail: route.detail };
}

/** An event must be kept also where something is wrong with what it is about: its dispatch meets that again. */
function routeIfAny(
  { eventId, eventType, resource }: NewWebhookEvent,
  subject: KnownSubject,
): EventRoute | undefined {
  try {
    return routeEvent({ event_id: eventId, event_type: eventType, resource }, subject);
  } catch {
    return undefined;
  }
}
