import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../connection/database.js';
import { parameter, prepared, runPrepared } from '../connection/prepared.js';
import { subjectTables, tableOf } from '../tables/subject-tables.js';
import { storableJson } from '../text/storable-text.js';
import type { LeasedEvent } from './event-lease.js';

/** An event's subject and its state; the id's prefix is the kind. */
export interface KnownSubject {
  readonly id: string;
  readonly state: unknown;
}

/** The subjects of events, each at its index, in their committed state. */
export async function findSubjectsOf(
  db: Database,
  events: readonly Pick<LeasedEvent, 'environment' | 'application' | 'resource' | 'resource_ids'>[],
): Promise<readonly (KnownSubject | undefined)[]> {
  const numbered = events.map(({ environment, application, resource, resource_ids }, place) => ({
    place,
    environment,
    application,
    resource,
    resource_ids,
  }));
  const rows = await runPrepared<KnownSubject & { readonly place: number }>(db, subjectsOfEvents, [
    storableJson(numbered),
  ]);
  const byPlace = new Map(rows.map(({ place, ...subject }) => [place, subject]));
  return events.map((_event, place) => byPlace.get(place));
}

const subjectsOfEvents = prepared(
  'subjects-of-events',
  () => sql`
    select event.place, subject.id, subject.state
    from jsonb_to_recordset(${parameter(1)}::jsonb) as event (
      place integer, environment text, application text, resource jsonb, resource_ids text[]
    )
    ${subjectsOf}`,
);

/**
 * The subject of an event, with its row locked. An activity that records a resource's id or an answer takes the same
 * lock. So an event is either parked before the activity claims it, or sees what the activity wrote.
 */
export async function lockSubjectOf(
  trx: Database,
  event: Pick<LeasedEvent, 'environment' | 'application' | 'resource_ids'> &
    Partial<Pick<LeasedEvent, 'resource'>>,
): Promise<KnownSubject | undefined> {
  const known = await sql<{ subject_id: string }>`${subjectIdOf({
    environment: sql`${event.environment}`,
    application: sql`${event.application}`,
    reference: sql`${event.resource?.reference ?? null}::text`,
    resourceIds: sql`${event.resource_ids}::text[]`,
  })}`.execute(trx);
  const id = known.rows[0]?.subject_id;
  if (id === undefined) return undefined;
  const { rows } = await sql<KnownSubject>`
    select id, state from ${sql.table(tableOf({ id }))} where id = ${id} for update`.execute(trx);
  return rows[0];
}

/** The parts of an event by which its subject is found. */
interface EventParts {
  readonly environment: RawBuilder<unknown>;
  readonly application: RawBuilder<unknown>;
  readonly reference: RawBuilder<unknown>;
  readonly resourceIds: RawBuilder<unknown>;
}

const columnsOfEvent: EventParts = {
  environment: sql`event.environment`,
  application: sql`event.application`,
  reference: sql`event.resource->>'reference'`,
  resourceIds: sql`event.resource_ids`,
};

/** Joins `subject` to `event`: none where no subject is known. */
export const subjectsOf = sql`
    cross join lateral (${subjectIdOf(columnsOfEvent)}) as known
    cross join lateral (${stateOf(sql`known.subject_id`)}) as subject`;

/**
 * An event with the reference of a request of ours belongs to that request, even before its answer. An event that names
 * a refund belongs to the refund rather than to the payment that it also names.
 */
function subjectIdOf({ environment, application, reference, resourceIds }: EventParts): RawBuilder<unknown> {
  return sql`
    select subject_id from (
      (select attempts.subject_id, 0 as place from attempts join refunds on refunds.id = attempts.subject_id
        where attempts.reference = ${reference}
          and refunds.environment = ${environment} and refunds.application = ${application}
        limit 1)
      union all
      (select subject_id, case kind when 'refund' then 1 else 2 end from resources
        where resources.environment = ${environment} and resources.application = ${application}
          and resources.resource_id = any(${resourceIds}))
    ) as candidate order by place limit 1`;
}

/** The state of a subject of any kind: an id exists only in the table of its kind. */
function stateOf(id: RawBuilder<unknown>): RawBuilder<unknown> {
  const each = subjectTables.map(
    (table) => sql`select id, state from ${sql.table(table)} where ${sql.table(table)}.id = ${id}`,
  );
  return sql.join(each, sql` union all `);
}
