import { sql } from 'kysely';
import type { LifecycleState } from '#workflows/lifecycle';
import { storableJson } from '../text/storable-text.js';
import { type WriteCause, type Transition, type Write, hasEnded, refuseStatement } from './transition.js';

/**
 * The write of the subject's row. It refuses the whole statement (`isOvertaken`) in two cases:
 *
 * - The row has an end, which callers may have seen. A writer whose `knownStatus` is not this end is refused.
 * - A newer workflow task of the run has written since. The begin of an attempt is not refused then, because the newer
 *   task finds the attempt begun.
 *
 * A worker that dies loses the reads of its workflow task, but its rows stay. The next worker may need fewer steps, so
 * its version may be lower than the row's. Therefore a newer task writes whatever its version is, and its versions count
 * from there on. It does not undo the final result of a part.
 */
export function subjectRow<State extends LifecycleState>(
  transition: Transition<State>,
  cause: WriteCause,
): Write {
  const { records, subject, state, version, knownStatus = null, taskStartedAt } = transition;
  const task =
    taskStartedAt === undefined ? sql`null::timestamptz` : sql`${new Date(taskStartedAt)}::timestamptz`;
  const isEnd = sql`status = any(${records.ends}::text[])`;
  const isSuperseded = cause === 'begin' ? sql`false` : sql`coalesce(task_started_at > ${task}, false)`;
  const isRefused = sql`((${isEnd} and status is distinct from ${knownStatus}::text) or ${isSuperseded})`;
  const columns = Object.entries({
    state: storableJson(state),
    status: state.status,
    updated_at: new Date(),
    ...records.columnsOf?.(state),
  });
  const changes = columns.map(([name, value]) => sql`${sql.ref(name)} = ${value}`);
  // The version of the run. It is lower than the row's if a lost task had got further.
  const written = sql`case when task_started_at = ${task} then coalesce(task_version, version) else version end`;
  const row = sql`update ${sql.table(records.table)} set ${sql.join(changes)},
    task_started_at = greatest(task_started_at, ${task}),
    task_version = case when task_started_at > ${task} or ${task} is null then task_version else ${version} end,
    version = case when ${isRefused} then ${refuseStatement(cause)}
      when version < ${version} then ${version} else version + 1 end
    where id = ${subject.id} and (${isRefused} or ${keepsFinalParts(transition)})`;
  if (cause !== 'read') return sql`${row} returning id`;
  const isNewer = sql`coalesce(task_started_at < ${task}, ${task} is not null)`;
  // An older read of the same task does not undo a newer one. It does not prevent an end.
  const isEnding = hasEnded(transition) ? sql`not ${isEnd}` : sql`false`;
  // An equal version is a repetition of the same read, also after an end: the run did not get the first result.
  return sql`${row}
    and (${isRefused} or ${isNewer} or ${written} <= ${version} or ${isEnding}) returning id`;
}

/**
 * A capture reported as completed or denied stays so. An older state is not written; the row waits until the run has that
 * result again. An end is always written.
 */
function keepsFinalParts<State extends LifecycleState>(transition: Transition<State>) {
  const { finalParts } = transition.records;
  if (!finalParts || hasEnded(transition)) return sql`true`;
  const known = JSON.stringify(Object.fromEntries(finalParts.of(transition.state)));
  return sql`${known}::jsonb @> ${finalParts.inRow}`;
}
