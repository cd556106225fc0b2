import { type RawBuilder, sql } from 'kysely';
import { type StatementRecords, type WriteCause, isToBeWritten } from './statement-parts.js';
import { given } from './transition-parameters.js';

const columns = sql`(version integer, event text, kind text, from_status text, to_status text, detail text,
  command_id text, at timestamptz)`;

/**
 * An existing entry was written in a lost workflow task: the run's own entry replaces it. Or the begin of the step has
 * written the same one: it stays.
 */
export function timelineRows(cause: WriteCause): RawBuilder<unknown> {
  return sql`
    insert into timeline (subject_id, version, event, kind, from_status, to_status, detail, command_id, at)
    select ${given.subjectId}, version, event, kind, from_status, to_status, detail, command_id, at
    from jsonb_to_recordset(${given.timeline}) as entry ${columns}
    where ${isToBeWritten(cause)}
    on conflict (subject_id, version) do update set ${changesTo('excluded')}
      where timeline.is_superseded or ${lineOf('timeline')} is distinct from ${lineOf('excluded')}`;
}

/**
 * Lines that are neither the run's own nor of this write: a lost workflow task wrote them, or an earlier try of the same
 * read. They are kept, because a repeated read takes its detail from them (`findDetail`), and versions do not go
 * back.
 *
 * @param written the write of the subject's row.
 */
export function lostLines(
  { table }: StatementRecords,
  cause: WriteCause,
  written: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const { subjectId, version, knownVersion, timeline, task } = given;
  const own = sql`select version from jsonb_to_recordset(${timeline} || ${given.ownLines}) as entry (version integer)`;
  // An outcome may come later than what its own task has written since.
  const isRepeated =
    cause === 'read'
      ? sql`before.task_started_at = ${task} and coalesce(before.task_version, before.version) <= ${version}`
      : sql`false`;
  // The row as it was before this statement; read after its lock.
  return sql`
    update timeline set is_superseded = true
    where subject_id = ${subjectId} and version > ${knownVersion} and not is_superseded and version not in (${own})
      and ${isToBeWritten(cause)} and (select count(*) from ${written}) >= 0
      and exists (select from ${sql.table(table)} as before
        where before.id = ${subjectId} and (${isOfNewerTask('before')} or (${isRepeated})))`;
}

/**
 * The run's own lines, where a lost workflow task has written others in their place, or marked them.
 *
 * @param written the write of the subject's row.
 */
export function ownLines(
  { table }: StatementRecords,
  cause: WriteCause,
  written: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`
    update timeline set ${changesTo('own')} from jsonb_to_recordset(${given.ownLines}) as own ${columns}
    where timeline.subject_id = ${given.subjectId} and timeline.version = own.version and ${isOtherThan('own')}
      and ${isToBeWritten(cause)} and (select count(*) from ${written}) >= 0
      and exists (select from ${sql.table(table)} as before
        where before.id = ${given.subjectId} and ${isOfNewerTask('before')})`;
}

/** True if the subject's timeline shows something else in the place of one of the run's own lines. */
export function hasLostOwnLines(): RawBuilder<unknown> {
  return sql`exists (select from timeline join jsonb_to_recordset(${given.ownLines}) as own ${columns}
    on timeline.version = own.version where timeline.subject_id = ${given.subjectId} and ${isOtherThan('own')})`;
}

const contentNames = ['event', 'kind', 'from_status', 'to_status', 'detail', 'command_id', 'at'];

function changesTo(source: 'excluded' | 'own'): RawBuilder<unknown> {
  const changes = contentNames.map((name) => sql`${sql.ref(name)} = ${sql.ref(`${source}.${name}`)}`);
  return sql`${sql.join(changes)}, is_superseded = false`;
}

function lineOf(row: string, names = contentNames): RawBuilder<unknown> {
  return sql`(${sql.join(names.map((name) => sql.ref(`${row}.${name}`)))})`;
}

function isOtherThan(line: string): RawBuilder<unknown> {
  const names = ['event', 'kind', 'to_status'];
  return sql`(timeline.is_superseded or ${lineOf('timeline', names)} is distinct from ${lineOf(line, names)})`;
}

/** @param row the name of the subject's row in the statement. */
export function isOfNewerTask(row: string): RawBuilder<unknown> {
  const { task } = given;
  return sql`coalesce(${sql.ref(`${row}.task_started_at`)} < ${task}, ${task} is not null)`;
}
