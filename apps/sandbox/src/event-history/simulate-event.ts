import { z } from 'zod';
import type { Insertable } from 'kysely';
import type { SandboxContext } from '../context/sandbox-context.js';
import type { EventRow, Tables, WebhookRow } from '../database/tables.js';
import { EVENT_TYPES, EVERY_EVENT_TYPE, isEventType, type EventType } from '../events/event-types.js';
import { ApiError } from '../http/api-error.js';
import { newEventId } from '../http/identifiers.js';
import { withoutNulls } from '../http/without-nulls.js';
import { ownRow } from '../server/own-row.js';
import { NO_WEBHOOK_ID } from '../webhooks/verify-signature.js';
import { sampleResource } from './sample-resources.js';

const simulationFields = z
  .strictObject({
    webhook_id: z.string().min(1).max(50).optional(),
    url: z
      .url({ protocol: /^https?$/ })
      .max(2048)
      .optional(),
    event_type: z.string().refine(isEventType, 'Not a valid webhook event name'),
    resource_version: z.literal('1.0').optional(),
  })
  .transform(({ webhook_id, url, event_type }, refinement) => {
    if (webhook_id !== undefined && url === undefined) return { to: { webhookId: webhook_id }, event_type };
    if (url !== undefined && webhook_id === undefined) return { to: { url }, event_type };
    const message = url === undefined ? 'Required, or url instead' : 'Cannot be given together with url';
    refinement.addIssue({ code: 'custom', path: ['webhook_id'], message });
    return z.NEVER;
  });

export const simulationRequest = z.preprocess(withoutNulls, simulationFields);

/**
 * Delivers a sample of an event, signed and repeated like any other. Only the delivery is real: the event is not found
 * afterwards, and its resource does not exist.
 * @throws ApiError INVALID_RESOURCE_ID for another application's webhook, VALIDATION_ERROR for one that does not
 * subscribe to the type.
 */
export async function simulateEvent(
  context: SandboxContext,
  clientId: string,
  { to, event_type: type }: z.output<typeof simulationRequest>,
): Promise<EventRow> {
  if ('webhookId' in to) {
    const webhook = await ownRow(context.database, 'webhooks', clientId, to.webhookId);
    if (!subscribes(webhook, type))
      throw ApiError.invalid('event_type', 'The webhook does not subscribe to this event type');
  }
  const now = new Date();
  const event = await context.database.transaction().execute(async (transaction) => {
    const row = await transaction
      .insertInto('events')
      .values(sampleEvent(context, clientId, type, now))
      .returningAll()
      .executeTakeFirstOrThrow();
    const destination =
      'url' in to ? { webhook_id: NO_WEBHOOK_ID, url: to.url } : { webhook_id: to.webhookId };
    await transaction
      .insertInto('deliveries')
      .values({ ...destination, event_id: row.id, first_due_at: now, due_at: now })
      .execute();
    return row;
  });
  context.wakeTasks();
  return event;
}

function sampleEvent(
  { links }: SandboxContext,
  clientId: string,
  type: EventType,
  now: Date,
): Insertable<Tables['events']> {
  const [resource_type, summary] = EVENT_TYPES[type];
  return {
    id: newEventId(),
    client_id: clientId,
    event_type: type,
    resource_type,
    resource_id: 'SAMPLE',
    summary,
    resource: JSON.stringify(sampleResource(type, links, now)),
    is_simulated: true,
    created_at: now,
  };
}

function subscribes({ event_types }: WebhookRow, type: EventType): boolean {
  return event_types.includes(type) || event_types.includes(EVERY_EVENT_TYPE);
}
