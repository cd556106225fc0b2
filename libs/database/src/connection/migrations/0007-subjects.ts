import { type Kysely, sql } from 'kysely';

/**
 * Commands, attempts, resources, timelines, calls and events belong to the subject of a run: a payment, a refund, a
 * subscription or a payout. The prefix of its id is the kind.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of [
    'commands',
    'attempts',
    'resources',
    'timeline',
    'api_calls',
    'webhook_events',
    'drift',
  ]) {
    await sql`alter table ${sql.table(table)} rename column payment_id to subject_id`.execute(db);
  }
  for (const table of ['commands', 'attempts', 'resources', 'timeline', 'drift']) {
    await sql`alter table ${sql.table(table)} drop constraint ${sql.ref(`${table}_payment_id_fkey`)}`.execute(
      db,
    );
    await sql`alter index if exists ${sql.ref(`${table}_by_payment`)} rename to ${sql.ref(`${table}_by_subject`)}`.execute(
      db,
    );
  }
  await sql`alter index api_calls_by_payment rename to api_calls_by_subject`.execute(db);
  await sql`alter table attempts rename constraint attempts_payment_id_step_name_attempt_number_key
    to attempts_subject_id_step_name_attempt_number_key`.execute(db);
}
