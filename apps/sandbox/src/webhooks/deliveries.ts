import { sql, type Kysely } from 'kysely';
import { runPrepared } from '../database/prepared.js';
import type { EventRow, Tables } from '../database/tables.js';

export interface ClaimedDelivery {
  id: number;
  /** Attempts so far, this one included. */
  attempts: number;
  webhookId: string;
  /** Null when the webhook has been deleted since. */
  url: string | null;
  firstDueAt: Date;
  /** A fault has already postponed this delivery, and does not do so again. */
  wasPostponed: boolean;
  event: EventRow;
}

export interface ClaimLimits {
  /** How many to take at most. */
  total: number;
  /** How many attempts one webhook may have at a time; a dead receiver does not delay others. */
  perWebhook: number;
  /** Attempts that run already, by webhook. */
  running: ReadonlyMap<string, number>;
}

/**
 * Claims due deliveries for one attempt each, the longest due first. Until `leaseMs` is over nobody else claims them;
 * if this process dies meanwhile, they are due again then.
 * Webhooks are visited one by one (a loose scan of the index), so that the cost grows with their number and not with
 * the backlog of one of them.
 */
export async function claimDeliveries(
  database: Kysely<Tables>,
  limits: ClaimLimits,
  leaseMs: number,
  now: Date,
): Promise<ClaimedDelivery[]> {
  const leaseEnd = new Date(now.getTime() + leaseMs);
  // As JSON: of an array the planner sees the length, and then plans again each time.
  const running = JSON.stringify(Object.fromEntries(limits.running));
  const claim = sql<ClaimedRow>`
    WITH RECURSIVE waiting (webhook_id) AS (
      (SELECT webhook_id FROM deliveries WHERE state = 'pending' ORDER BY webhook_id LIMIT 1)
      UNION ALL
      SELECT (
        SELECT later.webhook_id FROM deliveries later
        WHERE later.state = 'pending' AND later.webhook_id > waiting.webhook_id ORDER BY later.webhook_id LIMIT 1)
      FROM waiting WHERE waiting.webhook_id IS NOT NULL
    ), running (webhook_id, attempts) AS (
      SELECT key, value::integer FROM json_each_text(${running}::json)
    ), due AS (
      SELECT foremost.id FROM waiting
      LEFT JOIN running ON running.webhook_id = waiting.webhook_id
      CROSS JOIN LATERAL (
        SELECT id, due_at FROM deliveries
        WHERE deliveries.webhook_id = waiting.webhook_id AND state = 'pending' AND due_at <= ${now}
        ORDER BY due_at, id
        LIMIT greatest(0, ${limits.perWebhook}::integer - coalesce(running.attempts, 0))) foremost
      ORDER BY foremost.due_at, foremost.id
      LIMIT ${limits.total}
    ), free AS (
      SELECT id FROM deliveries
      WHERE id IN (SELECT id FROM due) AND state = 'pending' AND due_at <= ${now}
      FOR UPDATE SKIP LOCKED
    ), claimed AS (
      UPDATE deliveries SET attempts = attempts + 1, due_at = ${leaseEnd}
      WHERE id IN (SELECT id FROM free)
      RETURNING id, event_id, webhook_id, url, attempts, first_due_at, postponed_by
    ), begun AS (
      INSERT INTO delivery_attempts (delivery_id, number, started_at)
      SELECT id, attempts, ${now}::timestamptz FROM claimed
    )
    SELECT events.*, claimed.id AS delivery_id, claimed.webhook_id, claimed.attempts, claimed.first_due_at,
      claimed.postponed_by, coalesce(claimed.url, webhooks.url) AS url
    FROM claimed
    JOIN events ON events.id = claimed.event_id
    LEFT JOIN webhooks ON webhooks.id = claimed.webhook_id
    ORDER BY claimed.id`;
  const { rows } = await runPrepared(database, claim);
  return rows.map(({ delivery_id, webhook_id, attempts, first_due_at, postponed_by, url, ...event }) => {
    const wasPostponed = postponed_by !== null;
    return {
      id: delivery_id,
      webhookId: webhook_id,
      attempts,
      firstDueAt: first_due_at,
      wasPostponed,
      url,
      event,
    };
  });
}

interface ClaimedRow extends EventRow {
  delivery_id: number;
  webhook_id: string;
  attempts: number;
  first_due_at: Date;
  postponed_by: string | null;
  url: string | null;
}

/** The result of an attempt; the names are the columns'. */
export interface AttemptReport {
  transmission_id: string | null;
  fault: string | null;
  duration_ms: number;
  status: number | null;
  failure: string | null;
  response_bytes: number | null;
}

/** The delivery's state after the attempt. */
export type NextStep = { state: 'delivered' | 'abandoned' | 'dropped' } | { state: 'pending'; dueAt: Date };

/**
 * Writes the result of an attempt and what comes next, unless the delivery was given up meanwhile. An attempt that was
 * answered has overtaken the earlier deliveries to its webhook that wait for that.
 */
export async function saveAttempt(
  database: Kysely<Tables>,
  { id, attempts, webhookId }: ClaimedDelivery,
  report: AttemptReport,
  next: NextStep,
  now: Date,
): Promise<void> {
  const saving = database
    .with('attempt', (attempt) =>
      attempt
        .updateTable('delivery_attempts')
        .set(report)
        .where('delivery_id', '=', id)
        .where('number', '=', attempts),
    )
    .with('overtaken', (overtaken) =>
      overtaken
        .updateTable('deliveries')
        .set({ due_at: now })
        .where('webhook_id', '=', webhookId)
        .where('id', '<', id)
        .where('state', '=', 'pending')
        .where('postponed_by', '=', 'reorder_deliveries')
        .where('attempts', '=', 0)
        .where(sql.lit(report.status !== null)),
    )
    .updateTable('deliveries')
    .set({
      state: next.state,
      last_status: report.status,
      ...(next.state === 'pending' && { due_at: next.dueAt }),
    })
    .where('id', '=', id)
    .where('state', '=', 'pending');
  await runPrepared(database, saving);
}

/** The faults by which a delivery waits. */
export type PostponingFault = 'delay_delivery' | 'reorder_deliveries';

/** Undoes a claim: nothing was sent, so the attempt does not count, and the delivery is due at `dueAt`. */
export async function postponeDelivery(
  database: Kysely<Tables>,
  { id, attempts }: ClaimedDelivery,
  by: PostponingFault,
  dueAt: Date,
): Promise<void> {
  await database
    .with('attempt', (attempt) =>
      attempt.deleteFrom('delivery_attempts').where('delivery_id', '=', id).where('number', '=', attempts),
    )
    .updateTable('deliveries')
    .set({ attempts: attempts - 1, due_at: dueAt, postponed_by: by })
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .execute();
}
