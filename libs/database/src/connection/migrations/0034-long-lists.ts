import { type Kysely, sql } from 'kysely';

/**
 * For lists and searches among millions of rows: few that are looked for are found without the others.
 *
 * Of events only those are indexed that wait for nothing (`due_at`): each gets its entry once, not with each status.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create index api_calls_by_age on api_calls (environment, application, id)`,
  `create index api_calls_failed on api_calls (id, status) where status is null or status >= 400`,
  `create index api_calls_by_rare_method on api_calls (method, id) where method not in ('GET', 'POST')`,
  `create index webhook_events_by_type on webhook_events (event_type, environment, application, id)
    where due_at is null`,
  `create index webhook_events_by_resource on webhook_events using gin (resource_ids) where due_at is null`,
  `create index webhook_events_ignored on webhook_events (environment, application, id) where status = 'ignored'`,
  `create index payments_held_by_age on payments (environment, application, id desc, hold_until)
    where hold_until is not null
      and status not in ('captured', 'voided', 'completed', 'declined', 'cancelled', 'expired')`,
  `create index refunds_by_creation on refunds (environment, application, created_at, id)`,
];
