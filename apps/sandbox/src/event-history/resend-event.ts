import type { SandboxContext } from '../context/sandbox-context.js';
import type { EventRow } from '../database/tables.js';
import { EVERY_EVENT_TYPE } from '../events/event-types.js';
import { ApiError } from '../http/api-error.js';
import { findEvent } from './find-events.js';

/**
 * Delivers an event once more: to the named webhooks, otherwise to those that subscribe to its type now.
 * @throws ApiError INVALID_RESOURCE_ID for an unknown event, VALIDATION_ERROR for another application's webhook.
 */
export async function resendEvent(
  context: SandboxContext,
  clientId: string,
  eventId: string,
  webhookIds: readonly string[] | undefined,
): Promise<EventRow> {
  const event = await findEvent(context.database, clientId, eventId);
  const webhooks = await context.database
    .selectFrom('webhooks')
    .select(['id', 'event_types'])
    .where('client_id', '=', clientId)
    .execute();
  const known = new Set(webhooks.map(({ id }) => id));
  if (webhookIds?.some((id) => !known.has(id))) throw ApiError.invalid('webhook_ids', 'No such webhook');
  const chosen = new Set(
    webhookIds ??
      webhooks
        .filter(
          ({ event_types: types }) => types.includes(event.event_type) || types.includes(EVERY_EVENT_TYPE),
        )
        .map(({ id }) => id),
  );
  if (chosen.size > 0) {
    const now = new Date();
    const due = { event_id: event.id, first_due_at: now, due_at: now };
    await context.database
      .insertInto('deliveries')
      .values([...chosen].map((webhook_id) => ({ ...due, webhook_id })))
      .execute();
    context.wakeTasks();
  }
  return event;
}
