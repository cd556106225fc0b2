import { type Kysely, sql } from 'kysely';

/**
 * Refunds that we make ourselves, beside those made elsewhere: each is a subject of its own, with an id of ours. That of
 * one made elsewhere follows from what named it so far, as libs/database/src/subjects/adopted-refund-id.ts has it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `alter table refunds drop constraint refunds_pkey`,
  `update refunds set id = 're_' || left(encode(
    sha256(convert_to(environment || '/' || application || '/' || id, 'UTF8')), 'hex'), 36),
    state = state || '{"stepsBegun": 0}'`,
  `alter table refunds add primary key (id)`,
  `alter table refunds drop constraint refunds_status_check`,
  `alter table refunds add check (status in ('requesting', 'observed', 'pending', 'completed', 'failed', 'cancelled',
    'declined', 'unfounded', 'needs_review'))`,
  // Of one that we have asked for, the provider's id is known once it has answered.
  `alter table refunds drop constraint refunds_check2`,
  `alter table refunds add check (kind = 'refund' or provider_refund_id is null)`,
  `create index refunds_by_status on refunds (environment, application, status, id desc)`,
  // Its story and what the provider calls it stand where everybody's do.
  `insert into timeline (subject_id, version, event, kind, from_status, to_status, detail, at)
    select refunds.id, (entry->>'version')::int, entry->>'event', entry->>'kind', entry->>'from', entry->>'to',
      entry->>'detail', to_timestamp((entry->>'at')::float8 / 1000)
    from refunds cross join jsonb_array_elements(refunds.timeline) as entry
    order by (entry->>'at')::float8
    on conflict do nothing`,
  `alter table refunds drop column timeline`,
  `update resources set subject_id = refunds.id from refunds
    where resources.resource_id = refunds.provider_refund_id and resources.environment = refunds.environment
      and resources.application = refunds.application and resources.kind = 'refund'`,
  // What went back of a payment is told with it: whoever waits for news of the payment is woken by that too.
  `alter table payments add column refund_changes integer not null default 0`,
];
