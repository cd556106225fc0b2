import { type ContestedEvent, leaseContestedEvents, markAsConflict, takeShownEvent } from '#database/events';
import { type FoundEvent, NotFoundError } from '#payments-client';
import { newEventOf } from '#webhook-inbox';
import type { MaintenanceContext } from '../context.js';
import { isProviderTrouble } from '../provider/provider-facts.js';
import { lookLimit } from '../provider/provider-clients.js';

/** Whoever forges events must not keep the sweep from its work; what is left over is found by reconciliation as well. */
const atOnce = 10;
const sweptForMs = 5_000;

/** Reads of the provider's may lag, so that an event which it does not show is asked for again. */
const mayLagMs = 120_000;

/** Asks the provider for events of which contradictory contents came. Its answer decides, not who came first. */
export async function readContestedEvents(context: MaintenanceContext): Promise<void> {
  const { db, reconciliation } = context;
  const endsAt = performance.now() + sweptForMs;
  for (let isMore = true; isMore && performance.now() < endsAt;) {
    const events = await leaseContestedEvents(db, reconciliation.applications, atOnce);
    const results = await Promise.allSettled(events.map(async (event) => await readEvent(context, event)));
    // It is asked for again in any case.
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
  // That the event is not shown does not prove that nothing has happened to what it may be about.
  for (const [place, content] of contentsOf(event).entries()) await dispatch.hint(content, place);
  if (event.contestedForMs < mayLagMs) return;
  logger.warn({ event: event.event_id }, 'the provider does not show an event of which two contents came');
  await markAsConflict(db, event, 'the provider does not show it; what it may be about was read');
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

/** The event as each of its contents has it. */
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
