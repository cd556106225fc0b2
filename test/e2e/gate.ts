import { type RawBuilder, sql } from 'kysely';
import type { Database } from '#database/connection';

/**
 * Whoever makes such a change to a row waits, in the midst of its statement, until the gate is opened: for as long as a
 * test needs, up to the time that the engine gives a statement (15 seconds).
 *
 * @param change tells by `new` what the row is to become.
 * @returns what opens it, for good.
 */
export async function shutGate(
  db: Database,
  table: 'attempts' | 'webhook_events',
  change: RawBuilder<unknown>,
): Promise<() => Promise<void>> {
  await sql`create or replace function wait_at_gate() returns trigger language plpgsql as
    'begin perform pg_advisory_xact_lock(18); return new; end'`.execute(db);
  await sql`create trigger gate before update on ${sql.table(table)} for each row
    when (${change}) execute function wait_at_gate()`.execute(db);
  const gate = await db.startTransaction().execute();
  await sql`select pg_advisory_xact_lock(18)`.execute(gate);
  return async () => {
    await gate.rollback().execute();
    await sql`drop trigger gate on ${sql.table(table)}`.execute(db);
  };
}
