import { type RawBuilder, sql } from 'kysely';
import type { Owner } from '../schema/owner.js';
import { billingTypes } from './subscription-news.js';

/** The values of the rows, or the places of a statement's parameters. */
export interface NewsParameters extends Readonly<Record<keyof Owner, RawBuilder<unknown>>> {
  readonly subjectId: RawBuilder<unknown>;
  /** A JSON list of `newsRecord`. */
  readonly news: RawBuilder<unknown>;
  /** The write of the subject's row, of which the payload is made. Absent: it is made of the row as it is then. */
  readonly row?: RawBuilder<unknown>;
  /** The state of the subject's row before the write. */
  readonly before?: RawBuilder<unknown>;
  /** True if the row has refunds. */
  readonly hasRefunds?: true | undefined;
}

/**
 * The outbox of a write, as two parts of its statement: the notifications, and their deliveries to each endpoint that
 * takes them, also if it is disabled. Nothing is written for an application that has no endpoint and has never listened
 * to its events.
 *
 * @param name of the first part, to which the second one refers.
 * @param condition false if the write is not made.
 */
export function outboxRows(
  name: string,
  { environment, application, subjectId, news, row, before, hasRefunds }: NewsParameters,
  condition: RawBuilder<unknown> = sql`true`,
): readonly [notifications: RawBuilder<unknown>, deliveries: RawBuilder<unknown>] {
  const isOwn = sql`endpoint.environment = ${environment} and endpoint.application = ${application}`;
  const latest = sql`coalesce((select earlier.type from notifications earlier where earlier.subject_id = ${subjectId}
    and earlier.type in (${sql.join(billingTypes.map((type) => sql.lit(type)))}) order by earlier.sequence desc limit 1), '')`;
  // A row that keeps its content has no state to notify of.
  const state = row ? sql`(select state from ${row})` : sql`null::jsonb`;
  const version = row ? sql`greatest(news.version, (select version_floor from ${row}))` : sql`news.version`;
  const refunds = hasRefunds
    ? sql`(select refund_changes from ${row}), (select refunds_of_payment(id) from ${row} where refund_changes > 0)`
    : sql`null::integer, null::jsonb`;
  const notifications = sql`
    insert into notifications (environment, application, type, subject_id, item_id, fact, version, state,
      refund_changes, refunds)
    select ${environment}, ${application}, news.type, ${subjectId}, news.item_id, news.fact,
      ${version}, ${state}, ${refunds}
    from jsonb_to_recordset(${news}) as news (type text, fact text, item_id text, version integer,
      after text[], ends text, unless jsonb, place integer)
    where ${condition}
      and (exists (select from notification_endpoints endpoint where ${isOwn} and endpoint.status <> 'deleted')
        or exists (select from event_listeners listener where listener.environment = ${environment}
          and listener.application = ${application}))
      and case when news.after is null then true else ${latest} = any(news.after) end
      and (news.ends is null or exists (select from notifications earlier
        where earlier.subject_id = ${subjectId} and starts_with(earlier.fact, news.ends)))
      and (news.unless is null or not coalesce(${before ?? sql`null::jsonb`} @> news.unless, false))
    order by news.place
    on conflict (subject_id, fact) do nothing
    returning sequence, type, subject_id, item_id`;
  return [notifications, deliveryRows(sql.raw(name), isOwn)];
}

/**
 * The deliveries of notifications that the same statement has written. One for a disabled endpoint has failed at once, so
 * that it is listed, and is sent by a replay of all that failed.
 */
function deliveryRows(notifications: RawBuilder<unknown>, isOwn: RawBuilder<unknown>): RawBuilder<unknown> {
  const isSent = sql`endpoint.status = 'enabled'`;
  return sql`
    insert into notification_deliveries (endpoint_id, sequence, lane, state, last_reason, finished_at)
    select endpoint.id, written.sequence, ${laneOf('written')},
      case when ${isSent} then 'pending' else 'failed' end,
      case when ${isSent} then null else ${sql.lit(notSent)} end,
      case when ${isSent} then null else clock_timestamp() end
    from ${notifications} as written
    join notification_endpoints endpoint on ${isOwn} and endpoint.status <> 'deleted' and ${takes('endpoint', 'written')}
    order by written.sequence`;
}

const notSent = 'Not sent: the endpoint was disabled.';

/** A payout's items do not wait for each other. */
export function laneOf(notification: string): RawBuilder<unknown> {
  return sql`concat_ws('/', ${sql.ref(`${notification}.subject_id`)}, ${sql.ref(`${notification}.item_id`)})`;
}

/** Whether an endpoint takes notifications of this type. A test goes only where it was asked for. */
export function takes(endpoint: string, notification: string): RawBuilder<unknown> {
  const types = sql.ref(`${endpoint}.event_types`);
  const type = sql.ref(`${notification}.type`);
  return sql`(${type} = any(${types}) or cardinality(${types}) = 0) and ${type} <> 'endpoint.test'`;
}
