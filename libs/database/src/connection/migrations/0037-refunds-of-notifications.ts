import { type Kysely, sql } from 'kysely';

/**
 * A notification of a payment keeps the payment's count of refund changes, and its refunds if it has any, as they were
 * when it was written. Null: an older process wrote it.
 *
 * The function is volatile, so it reads what is committed when it is called, and not what was when the caller's statement
 * began: the caller has locked the payment's row, where each write of a refund is counted. It shows what `refundsOf`
 * (subjects/payments.ts) reads.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table notifications add column refund_changes integer, add column refunds jsonb`.execute(
    db,
  );
  await sql`
    create function refunds_of_payment(of_payment text) returns jsonb language sql volatile as $$
      select coalesce(jsonb_agg(jsonb_build_object('id', refund.id, 'state', refund.state, 'version', refund.version,
        'metadata', refund.metadata,
        'shown_version', greatest(refund.version_floor,
          (select max(line.version) from timeline line where line.subject_id = refund.id)),
        'timeline', coalesce((select jsonb_agg(jsonb_build_object('version', line.version, 'event', line.event,
            'kind', line.kind, 'from_status', line.from_status, 'to_status', line.to_status, 'detail', line.detail,
            'at', line.at) order by line.version)
          from timeline line where line.subject_id = refund.id and not line.is_superseded), '[]'))
        order by refund.created_at, refund.id), '[]')
      from refunds refund where refund.payment_id = of_payment
    $$`.execute(db);
}
