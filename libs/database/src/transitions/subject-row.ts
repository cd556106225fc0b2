import { type RawBuilder, sql } from 'kysely';
import { type StatementRecords, type WriteCause, isToBeWritten, refuseStatement } from './statement-parts.js';
import { hasLostOwnLines, isOfNewerTask } from './timeline-rows.js';
import { given } from './transition-parameters.js';

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
export function subjectRow(records: StatementRecords, cause: WriteCause): RawBuilder<unknown> {
  const { task, version } = given;
  const isEnd = sql`status in (${sql.join(records.ends.map((end) => sql.lit(end)))})`;
  const isSuperseded = cause === 'begin' ? sql`false` : sql`coalesce(task_started_at > ${task}, false)`;
  const isRefused = sql`((${isEnd} and status is distinct from ${given.knownStatus}) or ${isSuperseded})`;
  const isKept = records.finalParts ? keepsFinalParts(records.finalParts) : sql`true`;
  // An answer shows the state since its call, a lookup the state since its own begin.
  const begunAt = cause === 'outcome' ? sql`(select begun_at from first)` : sql`null`;
  const state = records.newerParts?.besideRow(given.state) ?? given.state;
  const row = sql`update ${sql.table(records.table)} set state = ${state}, status = ${given.status},
    updated_at = now(), ${records.finalParts ? sql`waits_since = null,` : sql``} ${ownColumns(records)}
    read_began_at = greatest(read_began_at, ${given.readBeganAt}, ${begunAt}),
    task_started_at = greatest(task_started_at, ${task}),
    task_version = case when task_started_at > ${task} or ${task} is null then task_version else ${version} end,
    version_floor = case when ${showsOtherLines(records.table)} then version + 1 else version_floor end,
    version = case when ${isRefused} then ${refuseStatement(cause)}
      when version < ${version} then ${version} else version + 1 end
    where id = ${given.subjectId} and (${isRefused} or (${isKept} and ${isToBeWritten(cause)}))`;
  const shown = sql`id, state, version_floor${records.hasRefunds ? sql`, refund_changes` : sql``}`;
  if (cause !== 'read') return sql`${row} returning ${shown}`;
  // The version of the run. It is lower than the row's if a lost task had got further.
  const written = sql`case when task_started_at = ${task} then coalesce(task_version, version) else version end`;
  // An older read of the same task does not undo a newer one. It does not prevent an end.
  const isEnding = sql`(${given.isEnding} and not ${isEnd})`;
  // An equal version is a repetition of the same read, also after an end: the run did not get the first result.
  return sql`${row}
    and (${isRefused} or ${isOfNewerTask(records.table)} or ${written} <= ${version} or ${isEnding}) returning ${shown}`;
}

/**
 * True if the lines have numbers that callers have seen with other content: a lost task has written them, and the row's
 * version counts on. So the version that callers see grows with these lines, too.
 */
function showsOtherLines(table: StatementRecords['table']): RawBuilder<unknown> {
  const lines = sql`jsonb_to_recordset(${given.timeline}) as line (version integer, event text, kind text, to_status text)`;
  const latest = sql`(select max(line.version) from ${lines})`;
  const isOther = sql`exists (select from ${lines} left join timeline as recorded
    on recorded.subject_id = ${given.subjectId} and recorded.version = line.version
    where (recorded.event, recorded.kind, recorded.to_status) is distinct from (line.event, line.kind, line.to_status))`;
  const areMore = sql`exists (select from timeline as recorded
    where recorded.subject_id = ${given.subjectId} and recorded.version > ${given.version} and not recorded.is_superseded)`;
  return sql`${latest} <= version_floor
    or (${isOfNewerTask(table)} and (${hasLostOwnLines()} or (${latest} <= version and (${isOther} or ${areMore}))))`;
}

/**
 * Marks a row that waits: the other writes of the statement are newer than it. Until it is written, no command is shown
 * as succeeded (docs/decisions/0018).
 *
 * @param written the write of the subject's row.
 */
export function waitingRow(
  { table, finalParts }: StatementRecords & Required<Pick<StatementRecords, 'finalParts'>>,
  cause: WriteCause,
  written: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`update ${sql.table(table)} set waits_since = coalesce(waits_since, now())
    where id = ${given.subjectId} and not ${keepsFinalParts(finalParts)} and ${isToBeWritten(cause)}
      and not exists (select from ${written})`;
}

function keepsFinalParts({ inRow }: NonNullable<StatementRecords['finalParts']>): RawBuilder<unknown> {
  return sql`(${given.finalParts} is null or ${given.finalParts} @> ${inRow})`;
}

/** A column that `columnsOf` does not have keeps its value. */
function ownColumns({ table, columns = [] }: StatementRecords): RawBuilder<unknown> {
  const changes = columns.map((name) => {
    const column = sql.ref(name);
    const change = sql`(jsonb_populate_record(null::${sql.table(table)}, ${given.columns})).${column}`;
    return sql`${column} = case when jsonb_exists(${given.columns}, ${sql.lit(name)}) then ${change} else ${column} end,`;
  });
  return changes.length === 0 ? sql`` : sql.join(changes, sql` `);
}
