import { type ContestedEvent, leaseContestedEvents, markAsConflict, takeShownEvent } from '#database/events';
import { type FoundEvent, NotFoundError } from '#payments-client';
import { newEventOf } from '#webhook-inbox';
import type { MaintenanceContext } from '../steps/activities/context.js';
import { isProviderTrouble } from '../provider/provider-facts.js';
import { lookLimit } from '../provider/provider-clients.js';

/** Forged events must not block the sweep. Reconciliation also finds the events that are left over. */
const atOnce = 10;
const sweptForMs = 5_000;

/** The provider's reads may lag, so an event that it does not show is asked for again. */
const mayLagMs = 120_000;

/** Asks the provider for contested events. Its answer decides, not the order of the deliveries. */
export async function readContestedEvents(context: MaintenanceContext): Promise<void> {
  const { db, reconciliation } = context;
  const endsAt = performance.now() + sweptForMs;
  for (let isMore = true; isMore && performance.now() < endsAt;) {
    const events = await leaseContestedEvents(db, reconciliation.applications, atOnce);
    const results = await Promise.allSettled(events.map(async (event) => await readEvent(context, event)));
    // The next sweep asks again in any case.
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
    isMore = events.length === atOnce;
  }
}

async function readEvent(context: MaintenanceContext, event: ContestedEvent): Promise<void> {
  const { db, dispatch, logger } = context;
  const shown = await read(context, event);
  if (shown === 'unreadable') return;
  const whole = shown === 'missing' ? undefined : newEventOf(shown.event, shown.body);
  if (whole && whole.eventId === event.event_id && whole.resource.id !== '') {
    const id = await takeShownEvent(db, event, whole);
    if (id !== undefined) await dispatch.dispatch(id);
    return;
  }
  // Even if the event is not shown, something may have happened to its subject.
  for (const [place, content] of contentsOf(event).entries()) await dispatch.hint(content, place);
  if (event.contestedForMs < mayLagMs) return;
  logger.warn(
    { event: event.event_id },
    'the provider does not show an event that was delivered with two contents; the subjects of both are read',
  );
  await markAsConflict(db, event, 'the provider does not show the event; its possible subjects were read');
}

async function read(
  { providers }: MaintenanceContext,
  event: ContestedEvent,
): Promise<FoundEvent | 'missing' | 'unreadable'> {
  try {
    return await providers.for(event).events.get(event.event_id, { signal: lookLimit() });
  } catch (error) {
    if (error instanceof NotFoundError) return 'missing';
    if (isProviderTrouble(error)) return 'unreadable';
    throw error;
  }
}

/** The event, once for each of its contents. */
function contentsOf(event: ContestedEvent): ContestedEvent[] {
  const first_content = event.first_content ?? {
    eventType: event.event_type,
    resource: event.resource,
    resourceIds: event.resource_ids,
  };
  const others = event.other_contents.map(({ eventType, resource, resourceIds }) => ({
    ...event,
    first_content,
    event_type: eventType,
    resource,
    resource_ids: [...resourceIds],
  }));
  return [event, ...others];
}
