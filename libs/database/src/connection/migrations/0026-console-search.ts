import { type Kysely, sql } from 'kysely';

/** For the console's search box, its counters and its list of calls. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create index api_calls_by_debug_id on api_calls (debug_id) where debug_id is not null`,
  `create index api_calls_by_transaction on api_calls (transaction_id, id) where transaction_id is not null`,
  `create index payments_by_window_end
    on payments (environment, application, ((state #>> '{authorization,validUntil}')::numeric))
    where status in ('authorized', 'partially_captured')`,
];
