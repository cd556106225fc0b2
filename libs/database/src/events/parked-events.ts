import { sql } from 'kysely';
import type { Subject } from '#workflows/contract';
import type { NotifiedResource } from '#workflows/lifecycle';
import type { Database } from '../connection/database.js';
import { parameter, prepared, runPrepared } from '../connection/prepared.js';
import type { LeasedEvent } from './event-lease.js';
import { changeTo, historyWith } from './event-status.js';
import { lockResourceIds } from '../tables/resource-locks.js';
import type { WebhookStatus } from '../schema/schema.js';

/**
 * The wait before a parked event is read again. Each later wait is as long as the event has waited so far, at most an
 * hour. So events of other systems' payments at the same provider cost less and less.
 */
export const firstParkedMs = 10_000;
const longestParkedMs = 3_600_000;

/**
 * Parks an event without a known subject, unless one of its resources has been recorded in the meantime. A writer of a
 * resource takes the same lock on its id. Either the writer comes later and finds the event parked, or its row is found
 * here.
 *
 * @param trx must hold no lock on a subject's row: the holder of that row may wait for this lock.
 * @returns false if the event must be routed again.
 */
export async function parkUnknownEvent(trx: Database, event: LeasedEvent, detail: string): Promise<boolean> {
  const { environment, application, resource_ids } = event;
  await lockResourceIds(trx, event, resource_ids);
  // A statement of its own, so that it sees what was committed while it waited for the lock.
  const parked = await trx
    .updateTable('webhook_events')
    .set(changeTo('parked', { detail, dueInMs: firstParkedMs }))
    .where('id', '=', event.id)
    .where('status', '=', 'dispatching')
    .where('dispatches', '=', event.dispatches)
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('resources')
            .select('resource_id')
            .where('environment', '=', environment)
            .where('application', '=', application)
            .where(sql<boolean>`resource_id = any(${resource_ids}::text[])`),
        ),
      ),
    )
    .returning('id')
    .executeTakeFirst();
  return parked !== undefined;
}

/** The parts of a transition that the release of parked events uses. */
interface WrittenSubject<State> {
  readonly records: {
    resourcesOf(state: State): readonly { readonly id: string }[];
    isAlreadyKnown(state: State, resource: NotifiedResource): boolean;
  };
  readonly subject: Subject;
  readonly state: State;
}

/**
 * Releases the parked events of a subject after its new state was written: by a statement of its own, so that it sees the
 * events that were parked while the writer waited for the subject's lock. An event that has no more news is applied. Any
 * other event is dispatched again, by the next sweep at the latest. The sweep (`unparkWebhookEvents`) also finds what a
 * process leaves that dies before this.
 */
export async function releaseParkedEvents<State>(
  db: Database,
  { records, subject, state }: WrittenSubject<State>,
): Promise<void> {
  const { environment, application, id: subjectId } = subject;
  const resourceIds = records.resourcesOf(state).map(({ id }) => id);
  const parked = await runPrepared(db, parkedEvents, [environment, application, subjectId, resourceIds]);
  const [known, news] = [true, false].map((isKnown) =>
    parked.filter(({ resource }) => records.isAlreadyKnown(state, resource) === isKnown).map(({ id }) => id),
  );
  await change(db, known, 'applied', { subjectId, detail: 'nothing new' });
  await change(db, news, 'received', { subjectId, detail: 'the step it waited for has ended', dueInMs: 0 });
}

const parkedEvents = prepared('parked-events', (db) =>
  db
    .selectFrom('webhook_events')
    .select(['id', 'resource'])
    .where('status', '=', sql.lit<WebhookStatus>('parked'))
    .where('environment', '=', parameter<string>(1))
    .where('application', '=', parameter<string>(2))
    .where((where) =>
      where.or([
        where('subject_id', '=', parameter<string>(3)),
        where('resource_ids', '&&', sql<string[]>`${parameter(4)}::text[]`),
      ]),
    ),
);

/**
 * Reads parked events that are due. Events with a known resource are put back for dispatch, the others wait longer. This
 * also covers events that no transition has released, for example because a step never ended.
 *
 * @returns how many were read, and which were put back.
 */
export async function unparkWebhookEvents(
  db: Database,
  limit: number,
): Promise<{ readonly read: number; readonly putBack: readonly number[] }> {
  const status = sql<WebhookStatus>`case when due.is_known then 'received' else webhook_events.status end`;
  const { rows } = await sql<{ id: number; is_known: boolean }>`
    with due as materialized (
      select id, exists (
        select from resources where resources.environment = parked.environment
          and resources.application = parked.application
          and resources.resource_id = any(parked.resource_ids)) as is_known
      from webhook_events parked
      where status = 'parked' and due_at <= clock_timestamp()
      order by due_at limit ${limit} for update of parked skip locked)
    update webhook_events set
      status = ${status},
      status_at = case when due.is_known then clock_timestamp() else webhook_events.status_at end,
      due_at = case when due.is_known then clock_timestamp() else clock_timestamp()
        + least(greatest(clock_timestamp() - received_at, ${firstParkedMs} * interval '1 millisecond'),
          ${longestParkedMs} * interval '1 millisecond') end,
      history = case when due.is_known then ${historyWith(status, 'its resource is known now')}
        else webhook_events.history end
    from due where webhook_events.id = due.id
    returning webhook_events.id, due.is_known`.execute(db);
  return {
    read: rows.length,
    putBack: rows.filter(({ is_known }) => is_known).map(({ id }) => id),
  };
}

async function change(
  db: Database,
  ids: readonly number[] | undefined,
  ...[status, details]: Parameters<typeof changeTo>
): Promise<void> {
  if (!ids || ids.length === 0) return;
  await db
    .updateTable('webhook_events')
    .set(changeTo(status, details))
    .where('id', 'in', ids)
    .where('status', '=', 'parked')
    .execute();
}
