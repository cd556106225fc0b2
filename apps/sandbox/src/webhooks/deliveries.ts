import type { Kysely } from 'kysely';
import type { EventRow, Tables } from '../database/tables.js';

export interface ClaimedDelivery {
  id: number;
  /** Attempts so far, this one included. */
  attempts: number;
  webhookId: string;
  /** Null when the webhook has been deleted since. */
  url: string | null;
  firstDueAt: Date;
  event: EventRow;
}

/**
 * Takes up to `limit` due deliveries for one attempt each. Until `leaseMs` is over nobody else takes them; if this process
 * dies meanwhile, they are due again then.
 */
export async function claimDeliveries(
  database: Kysely<Tables>,
  limit: number,
  leaseMs: number,
  now: Date,
): Promise<ClaimedDelivery[]> {
  const rows = await database
    .with('claimed', (claim) =>
      claim
        .updateTable('deliveries')
        .set((column) => ({
          attempts: column('attempts', '+', 1),
          due_at: new Date(now.getTime() + leaseMs),
        }))
        .where('id', 'in', (due) =>
          due
            .selectFrom('deliveries')
            .select('id')
            .where('state', '=', 'pending')
            .where('due_at', '<=', now)
            .orderBy('due_at')
            .orderBy('id')
            .limit(limit)
            .forUpdate()
            .skipLocked(),
        )
        .returning(['id', 'event_id', 'webhook_id', 'attempts', 'first_due_at']),
    )
    .selectFrom('claimed')
    .innerJoin('events', 'events.id', 'claimed.event_id')
    .leftJoin('webhooks', 'webhooks.id', 'claimed.webhook_id')
    .selectAll('events')
    .select(['claimed.id as delivery_id', 'claimed.webhook_id', 'attempts', 'first_due_at', 'webhooks.url'])
    .orderBy('claimed.id')
    .execute();
  return rows.map(({ delivery_id, webhook_id, attempts, first_due_at, url, ...event }) => {
    return { id: delivery_id, webhookId: webhook_id, attempts, firstDueAt: first_due_at, url, event };
  });
}

export type DeliveryOutcome =
  | { state: 'delivered' | 'abandoned' | 'dropped'; status: number | null }
  | { state: 'pending'; status: number | null; dueAt: Date };

export async function saveOutcome(
  database: Kysely<Tables>,
  id: number,
  outcome: DeliveryOutcome,
): Promise<void> {
  await database
    .updateTable('deliveries')
    .set({
      state: outcome.state,
      last_status: outcome.status,
      ...(outcome.state === 'pending' && { due_at: outcome.dueAt }),
    })
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .execute();
}
