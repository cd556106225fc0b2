import { sql } from 'kysely';
import type { Database } from './database.js';
import type { Owner } from './reconciliation.js';
import type { PaymentRow } from './schema.js';

/** Entries of the story that are looked through at once; those of other applications are among them. */
const entriesAtOnce = 2_000;

/**
 * Payments whose story has gone on, and how far that story has been read.
 *
 * @param after the last entry that was read.
 * @param settledForMs entries younger than this wait: the provider's reads may lag behind, and entries that were
 *   numbered earlier may still be on their way.
 */
export async function findChangedPayments(
  db: Database,
  owner: Owner,
  { after, settledForMs, limit }: { after: number; settledForMs: number; limit: number },
): Promise<{ readonly paymentIds: readonly string[]; readonly until: number }> {
  const entries = db
    .selectFrom('timeline')
    .select(['id', 'subject_id'])
    .where('id', '>', after)
    .where('at', '<', ago(settledForMs))
    .orderBy('id')
    .limit(entriesAtOnce);
  const { rows } = await sql<{ id: number; subject_id: string; isOwn: boolean }>`
    select entry.id, entry.subject_id,
      payments.environment = ${owner.environment} and payments.application = ${owner.application} as "isOwn"
    from (${entries}) as entry join payments on payments.id = entry.subject_id order by entry.id`.execute(db);
  const changed = new Set<string>();
  let until = after;
  for (const { id, subject_id, isOwn } of rows) {
    if (isOwn) changed.add(subject_id);
    if (changed.size > limit) break;
    until = id;
  }
  return { paymentIds: [...changed].slice(0, limit), until };
}

/** Payments that did not agree when they were last compared, the longest ago first. */
export async function findDriftedPayments(db: Database, owner: Owner, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('drift')
    .select('subject_id')
    .where('environment', '=', owner.environment)
    .where('application', '=', owner.application)
    .where('resolved_at', 'is', null)
    .groupBy('subject_id')
    .orderBy(({ fn }) => fn.min('last_seen_at'))
    .limit(limit)
    .execute();
  return rows.map(({ subject_id }) => subject_id);
}

/**
 * The next few payments of a walk from the newest to those that are `reachMs` old, and again from the newest.
 *
 * @param before the last one of the walk so far.
 */
export async function samplePayments(
  db: Database,
  owner: Owner,
  { before, reachMs, limit }: { before: string | null; reachMs: number; limit: number },
): Promise<string[]> {
  let query = db
    .selectFrom('payments')
    .select(['id', sql<boolean>`created_at > ${ago(reachMs)}`.as('isWithinReach')])
    .where('environment', '=', owner.environment)
    .where('application', '=', owner.application);
  if (before !== null) query = query.where('id', '<', before);
  const rows = await query.orderBy('id', 'desc').limit(limit).execute();
  return rows.filter(({ isWithinReach }) => isWithinReach).map(({ id }) => id);
}

/** The payment as it stands, unless it has just moved: then its own story brings it up again. */
export async function findSettledPayment(
  db: Database,
  paymentId: string,
  settledForMs: number,
): Promise<PaymentRow | undefined> {
  return await db
    .selectFrom('payments')
    .selectAll()
    .where('id', '=', paymentId)
    .where('updated_at', '<', ago(settledForMs))
    .executeTakeFirst();
}

function ago(ms: number) {
  return sql<Date>`now() - ${ms} * interval '1 millisecond'`;
}
