import type { Kysely } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import { z } from 'zod';
import type { Tables } from '../database/tables.js';
import { identifier } from '../http/validation.js';

export const deliveryQuery = z.strictObject({
  /** Of one event, by its id. */
  event: identifier.optional(),
  /** To one webhook, by its id; even if it has been deleted since. */
  webhook: identifier.optional(),
  clientId: z
    .string()
    .max(200)
    .regex(/^[^\0]*$/)
    .optional(),
  state: z.enum(['pending', 'delivered', 'abandoned', 'dropped']).optional(),
  /** Deliveries older than this one: the last one of the page before. */
  before: z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER).optional(),
  limit: z.coerce.number().int().min(1).max(500).default(100),
});

/** One delivery of one event to one webhook, with every attempt made so far, the first one first. */
export interface ListedDelivery {
  id: number;
  eventId: string;
  eventType: string;
  resourceId: string;
  clientId: string;
  webhookId: string;
  state: 'pending' | 'delivered' | 'abandoned' | 'dropped';
  attemptCount: number;
  /** The receiver's last answer; null before the first one. */
  lastStatus: number | null;
  firstDueAt: Date;
  /** When a pending one is tried again; while an attempt runs, when another process may claim it. */
  dueAt: Date;
  postponedBy: string | null;
  attempts: ListedAttempt[];
}

export interface ListedAttempt {
  number: number;
  transmissionId: string | null;
  fault: string | null;
  /** ISO 8601. */
  startedAt: string;
  /** Null while it runs, and always when its process died meanwhile. */
  durationMs: number | null;
  status: number | null;
  failure: string | null;
  responseBytes: number | null;
}

/**
 * Deliveries, newest first. They do not contain the receiver's address, because an application may have a secret in it.
 */
export function listDeliveries(
  database: Kysely<Tables>,
  query: z.output<typeof deliveryQuery>,
): Promise<ListedDelivery[]> {
  let page = database.selectFrom('deliveries').innerJoin('events', 'events.id', 'deliveries.event_id');
  if (query.event !== undefined) page = page.where('deliveries.event_id', '=', query.event);
  if (query.webhook !== undefined) page = page.where('deliveries.webhook_id', '=', query.webhook);
  if (query.clientId !== undefined) page = page.where('events.client_id', '=', query.clientId);
  if (query.state !== undefined) page = page.where('deliveries.state', '=', query.state);
  if (query.before !== undefined) page = page.where('deliveries.id', '<', query.before);
  return page
    .select([
      'deliveries.id',
      'events.id as eventId',
      'events.event_type as eventType',
      'events.resource_id as resourceId',
      'events.client_id as clientId',
      'deliveries.webhook_id as webhookId',
      'deliveries.state',
      'deliveries.attempts as attemptCount',
      'deliveries.last_status as lastStatus',
      'deliveries.first_due_at as firstDueAt',
      'deliveries.due_at as dueAt',
      'deliveries.postponed_by as postponedBy',
    ])
    .select((delivery) =>
      jsonArrayFrom(
        delivery
          .selectFrom('delivery_attempts as attempt')
          .select([
            'attempt.number',
            'attempt.transmission_id as transmissionId',
            'attempt.fault',
            'attempt.started_at as startedAt',
            'attempt.duration_ms as durationMs',
            'attempt.status',
            'attempt.failure',
            'attempt.response_bytes as responseBytes',
          ])
          .whereRef('attempt.delivery_id', '=', 'deliveries.id')
          .orderBy('attempt.number'),
      ).as('attempts'),
    )
    .orderBy('deliveries.id', 'desc')
    .limit(query.limit)
    .execute();
}
