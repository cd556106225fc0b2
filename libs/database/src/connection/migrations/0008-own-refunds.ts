import { type Kysely, sql } from 'kysely';

/**
 * Our own refunds, besides those made elsewhere. Each refund is a subject with an id of ours. For a refund made elsewhere
 * it is derived from the earlier name, as in libs/database/src/subjects/adopted-refund-id.ts.
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
  // The provider's id of our own refund is known once the provider has answered.
  `alter table refunds drop constraint refunds_check2`,
  `alter table refunds add check (kind = 'refund' or provider_refund_id is null)`,
  `create index refunds_by_status on refunds (environment, application, status, id desc)`,
  // Its timeline and its provider ids move to the tables of all subjects.
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
  // A change of a refund also wakes the long polls of its payment.
  `alter table payments add column refund_changes integer not null default 0`,
];
