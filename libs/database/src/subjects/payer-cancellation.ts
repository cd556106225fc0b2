import { sql } from 'kysely';
import type { Database } from '../connection/database.js';

/** The tables of subjects that a payer approves. */
type ApprovedTable = 'payments' | 'subscriptions';

/** Commits the payer's cancellation. The run acts on this row, not on the signal. */
export async function notePayerCancelled(db: Database, table: ApprovedTable, id: string): Promise<void> {
  await sql`update ${sql.table(table)} set payer_cancelled_at = coalesce(payer_cancelled_at, now())
    where id = ${id}`.execute(db);
}

export async function hasPayerCancelled(db: Database, table: string, id: string): Promise<boolean> {
  const { rows } = await sql<{ cancelled: boolean }>`
    select payer_cancelled_at is not null as cancelled from ${sql.table(table)} where id = ${id}`.execute(db);
  return rows[0]?.cancelled === true;
}
