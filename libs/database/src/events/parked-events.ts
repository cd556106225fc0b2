import { sql } from 'kysely';
import type { Subject } from '#workflows/contract';
import type { NotifiedResource } from '#workflows/lifecycle';
import { batched } from '../connection/batched.js';
import type { Database } from '../connection/database.js';
import { parameter, prepared, runPrepared } from '../connection/prepared.js';
import type { LeasedEvent } from './event-lease.js';
import { changeTo, historyWith } from './event-status.js';
import { lockResourceIds } from '../tables/resource-locks.js';
import type { Owner } from '../schema/owner.js';
import type { WebhookEventRow, WebhookStatus } from '../schema/schema.js';
import { soundJson } from '../text/storable-text.js';

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
  const parked = await parkedOf(db)({
    environment,
    application,
    subject_id: subjectId,
    resource_ids: resourceIds,
  });
  const [known, news] = [true, false].map((isKnown) =>
    parked.filter(({ resource }) => records.isAlreadyKnown(state, resource) === isKnown),
  );
  await change(db, known, 'applied', { subjectId, detail: 'nothing new' });
  await change(db, news, 'received', { subjectId, detail: 'the step it waited for has ended', dueInMs: 0 });
}

type ParkedEvent = Pick<WebhookEventRow, 'id' | 'resource' | 'dispatches'>;

interface ResourcesOfSubject extends Owner {
  readonly subject_id: string;
  readonly resource_ids: readonly string[];
}

const readers = new WeakMap<Database, (of: ResourcesOfSubject) => Promise<readonly ParkedEvent[]>>();

/** Transitions that are written at the same time share this read. In a transaction each has its own. */
function parkedOf(db: Database): (of: ResourcesOfSubject) => Promise<readonly ParkedEvent[]> {
  if (db.isTransaction) return async (of) => (await findParked(db, [of]))[0] ?? [];
  const known = readers.get(db) ?? batched((of) => findParked(db, of), { largest: 64, concurrency: 2 });
  readers.set(db, known);
  return known;
}

/** @returns the parked events of each, at its index. */
async function findParked(
  db: Database,
  subjects: readonly ResourcesOfSubject[],
): Promise<readonly (readonly ParkedEvent[])[]> {
  const given = subjects.map((subject, place) => ({ ...subject, place }));
  const rows = await runPrepared<ParkedEvent & { readonly place: number }>(db, parkedEvents, [
    soundJson(given),
  ]);
  const byPlace = Map.groupBy(rows, ({ place }) => place);
  return subjects.map((_subject, place) => byPlace.get(place) ?? []);
}

const parkedEvents = prepared(
  'parked-events',
  () => sql`
    select subject.place, parked.id, parked.resource, parked.dispatches
    from jsonb_to_recordset(${parameter(1)}::jsonb) as subject (
      place integer, environment text, application text, subject_id text, resource_ids text[]
    )
    join webhook_events as parked on parked.status = 'parked'
      and parked.environment = subject.environment and parked.application = subject.application
      and (parked.subject_id = subject.subject_id or parked.resource_ids && subject.resource_ids)`,
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

/** One that was dispatched and parked again since the read is left: the provider may have shown another content of it. */
async function change(
  db: Database,
  events: readonly ParkedEvent[] | undefined,
  ...[status, details]: Parameters<typeof changeTo>
): Promise<void> {
  if (!events || events.length === 0) return;
  const [ids, dispatches] = [events.map(({ id }) => id), events.map((event) => event.dispatches)];
  await db
    .updateTable('webhook_events')
    .set(changeTo(status, details))
    .where(
      sql<boolean>`(id, dispatches) in (select * from unnest(${ids}::bigint[], ${dispatches}::integer[]))`,
    )
    .where('status', '=', 'parked')
    .execute();
}
