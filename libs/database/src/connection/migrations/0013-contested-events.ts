import { type Kysely, sql } from 'kysely';

/** Contradictory contents under one event id, until the provider shows which is true (docs/decisions/0019). */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `alter table webhook_events
    drop constraint webhook_events_status_check,
    add constraint webhook_events_status_check check (status in
      ('received', 'dispatching', 'applied', 'ignored', 'parked', 'contested', 'conflict')),
    -- What came under the id besides; none of it is proved.
    add column other_contents jsonb not null default '[]',
    -- What came under the id first, where the provider shows another content.
    add column first_content jsonb,
    -- When the provider itself showed the content, to a search or to a read of the event: it stands from then on.
    add column shown_at timestamptz`,
  // These events were ignored because of the first delivery.
  `update webhook_events set status = 'contested', status_at = clock_timestamp(), due_at = clock_timestamp()
    where status = 'conflict' and contradictions > 0`,
];
