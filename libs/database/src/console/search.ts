import { sql } from 'kysely';
import type { Database } from '../connection/database.js';
import type { Owner } from '../schema/owner.js';
import { ownersTable } from '../tables/owners-table.js';

/** A record that has the id that a user searched for. */
export interface Match extends Owner {
  /** What the id is, in words. */
  readonly what: string;
  readonly subject_id: string | null;
  /** The row of a webhook event. */
  readonly event_id: string | null;
  /** The row of a call. */
  readonly call_id: number | null;
  readonly notification_id: string | null;
}

const mostOfEach = sql.lit(25);

/** Everything that has this id: ours, the order service's or the provider's. Each part uses an index. */
export async function findById(db: Database, owners: readonly Owner[], id: string): Promise<Match[]> {
  const subjects = ['payments', 'refunds', 'plans', 'subscriptions', 'payouts'].map(
    (table) => sql`(${subject('our id')} ${of(table)} where found.id = ${id})`,
  );
  const parts = [
    ...subjects,
    sql`(${subject('order')} ${of('payments')} where found.order_id = ${id} order by found.id desc limit ${mostOfEach})`,
    sql`(${subject('reference of the payout')} ${of('payouts')} where found.reference = ${id}
      and not found.reference_freed limit ${mostOfEach})`,
    sql`(${part('id of the provider’s')} ${of('resources')} where found.resource_id = ${id})`,
    sql`(${part('request')} ${of('commands')} where found.idempotency_key = ${id})`,
    sql`(${part('request')} ${of('commands')} where found.id = ${id})`,
    sql`(select found.environment, found.application, 'notification', null, null, null, found.id
      ${of('notifications')} where found.id = ${id})`,
    sql`(select null, null, 'invoice number or reference', subject_id, null, null, null from attempts where reference = ${id})`,
    sql`(select null, null, 'request id', subject_id, null, null, null from attempts where request_id = ${id})`,
    sql`(select found.environment, found.application, 'webhook event', found.subject_id, found.event_id, null, null
      ${of('webhook_events')} where found.event_id = ${id})`,
    sql`(select found.environment, found.application, 'debug id of a call', found.subject_id, null, found.id, null
      ${of('api_calls')} where found.debug_id = ${id} order by found.id desc limit ${mostOfEach})`,
    sql`(select found.environment, found.application, 'transaction of a call', found.subject_id, null, found.id, null
      ${of('api_calls')} where found.transaction_id = ${id} order by found.id desc limit ${mostOfEach})`,
  ];
  const { rows } = await sql<Match>`
    with owners as (${ownersTable(owners)}) ${sql.join(parts, sql` union all `)}`.execute(db);
  return rows;
}

function of(table: string) {
  return sql`from owners join ${sql.table(table)} as found
    on found.environment = owners.environment and found.application = owners.application`;
}

function subject(what: string) {
  return sql`select found.environment, found.application, ${sql.lit(what)} as what, found.id as subject_id,
    null::text as event_id, null::bigint as call_id, null::text as notification_id`;
}

/** Of a row that names its subject. */
function part(what: string) {
  return sql`select found.environment, found.application, ${sql.lit(what)} as what, found.subject_id,
    null::text as event_id, null::bigint as call_id, null::text as notification_id`;
}
