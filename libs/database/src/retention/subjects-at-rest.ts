import { type RawBuilder, sql } from 'kysely';
import { prefixOf, subjectKinds } from '#workflows/contract';
import {
  paymentRecords,
  payoutRecords,
  planRecords,
  refundRecords,
  subscriptionRecords,
} from '../transitions/index.js';

const kinds = [paymentRecords, refundRecords, subscriptionRecords, planRecords, payoutRecords];

/** The row of an ended subject, under any of its tables, as a table of at most one row. */
export function endedSubject(id: RawBuilder<unknown>): RawBuilder<unknown> {
  const each = kinds.map(
    ({
      table,
      ends,
    }) => sql`select id, environment, application, updated_at from ${sql.table(table)} as of_kind
      where of_kind.id = ${id} and of_kind.status = any(${ends}::text[])`,
  );
  return sql`(${sql.join(each, sql` union all `)})`;
}

/**
 * Whether nobody needs the records of an ended subject any more: it has rested since an instant, no command waits or is
 * under way, no difference from the provider is open, and of a payment no refund is open or has changed since.
 */
export function hasRested(subject: string, since: RawBuilder<unknown>): RawBuilder<unknown> {
  const id = sql.ref(`${subject}.id`);
  return sql`(${sql.ref(`${subject}.updated_at`)} < ${since}
    and not exists (select from commands where commands.subject_id = ${id}
      and commands.status in ('accepted', 'executing'))
    and not exists (select from drift where drift.subject_id = ${id} and drift.resolved_at is null)
    and not exists (select from refunds where refunds.payment_id = ${id}
      and (refunds.status <> all(${refundRecords.ends}::text[]) or refunds.updated_at >= ${since})))`;
}

/** Whether an id is of no subject: of an endpoint, or none. */
export function isOfNoSubject(id: RawBuilder<unknown>): RawBuilder<unknown> {
  const names = subjectKinds.map((kind) => sql`starts_with(${id}, ${sql.lit(prefixOf(kind))})`);
  return sql`(${id} is null or not (${sql.join(names, sql` or `)}))`;
}
