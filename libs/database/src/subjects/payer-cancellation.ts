import { sql } from 'kysely';
import type { Database } from '../connection/database.js';

/** The tables of subjects that a payer approves. */
type ApprovedTable = 'payments' | 'subscriptions';

/** Commits the payer's cancellation. The run acts on this row, not on the signal. */
export async function notePayerCancelled(db: Database, table: ApprovedTable, id: string): Promise<void> {
  await sql`update ${sql.table(table)} set payer_cancelled_at = now() where id = ${id}`.execute(db);
}

export async function hasPayerCancelled(db: Database, table: string, id: string): Promise<boolean> {
  const { rows } = await sql<{ cancelled: boolean }>`
    select payer_cancelled_at is not null as cancelled from ${sql.table(table)} where id = ${id}`.execute(db);
  return rows[0]?.cancelled === true;
}

/**
 * When the payer cancelled, if the run does not know it, and the payer was not found to have approved since. A review of
 * anything but the execution has no use for it.
 */
export async function findPayerCancellation(
  db: Database,
  table: string,
  id: string,
): Promise<Date | undefined> {
  const { rows } = await sql<{ at: Date }>`
    select payer_cancelled_at as at from ${sql.table(table)} as subject
    where id = ${id} and payer_cancelled_at is not null and state->'isCancelWaiting' is null
      and (status <> 'needs_review'
        or state->'openStep'->'step'->>'type' in ('executePayment', 'executeAgreement'))
      and not exists (
      select from timeline where subject_id = subject.id and timeline.at > payer_cancelled_at and not is_superseded
        and (event = 'payerApproved'
          or event = 'providerObserved' and to_status in ('authorizing', 'executing')))`.execute(db);
  return rows[0]?.at;
}
