import { type Kysely, sql } from 'kysely';

/** Notifications as a stream that misses nothing (docs/decisions/0029). */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // Transactions commit in another order than they take sequences. What is below the oldest open one is complete.
  `alter table notifications add column written_by xid8 not null default pg_current_xact_id()`,
  `create index notifications_in_order on notifications (written_by, sequence)`,
  `create index notifications_of_application on notifications (environment, application, written_by, sequence)`,
  // Whoever has listened once: from then on notifications are written without an endpoint, too.
  `create table event_listeners (
    environment text not null,
    application text not null,
    since timestamptz not null default clock_timestamp(),
    primary key (environment, application)
  )`,
];
