import { type RawBuilder, sql } from 'kysely';
import { policyKeyPrefix } from '../commands/command-rows.js';
import { type Prepared, parameter, prepared } from '../connection/prepared.js';
import { outboxRows } from '../notifications/notification-rows.js';
import { resourceRows } from './resources.js';
import { type StatementRecords, type WriteCause, isToBeWritten, refuseStatement } from './statement-parts.js';
import { subjectRow, waitingRow } from './subject-row.js';
import { lostLines, ownLines, timelineRows } from './timeline-rows.js';
import { firstPlace, given } from './transition-parameters.js';

const statements = new Map<string, Prepared>();

/**
 * All writes of a transition as one statement: one round trip, and all of them or none. These round trips are most of the
 * time between the provider's answer and the caller's. The statement is the same for all transitions of a kind and a
 * cause, so that it is parsed and planned once. One that has news also writes the outbox.
 *
 * It returns the id of the row that its first write has written: of the attempt, or with the cause `read` of the subject.
 * Without an open attempt, `outcome` writes nothing and returns no row. A `read` makes its other writes in any case.
 */
export function transitionStatement(
  records: StatementRecords,
  cause: WriteCause,
  { hasNews }: { readonly hasNews: boolean },
): Prepared {
  const name = `transition-${records.table}-${cause}${hasNews ? '-news' : ''}`;
  const known = statements.get(name);
  if (known) return known;
  const statement = prepared(name, () => statementOf(records, cause, hasNews));
  statements.set(name, statement);
  return statement;
}

function statementOf(records: StatementRecords, cause: WriteCause, hasNews: boolean): RawBuilder<unknown> {
  // The first write locks the subject's row, as the dispatcher of events does.
  const { finalParts } = records;
  const ofAttempt = { begin: [attemptRow(firstPlace)], outcome: [outcomeRow(firstPlace)], read: [] }[cause];
  const row = sql.raw(nameOf(ofAttempt.length));
  const writes = [
    ...ofAttempt,
    subjectRow(records, cause),
    resourceRows(given, isToBeWritten(cause)),
    timelineRows(cause),
    lostLines(records, cause, row),
    ownLines(records, cause, row),
    orderAndPolicyCommands(cause),
    requestedCommands(cause),
    leftCommands(cause),
    ...(records.besides ? [sql`${records.besides(given)} and ${isToBeWritten(cause)}`] : []),
    callRows(cause),
  ];
  if (finalParts) writes.push(waitingRow({ ...records, finalParts }, cause, row));
  if (hasNews) {
    // After the row is locked, so that the notifications of a subject are in order.
    const isNext = sql`${isToBeWritten(cause)} and (select count(*) from ${row}) >= 0`;
    // All parts of a statement see the tables as they were before it.
    const before = sql`(select state from ${sql.table(records.table)} where id = ${given.subjectId})`;
    const parameters = { ...given, row, before, hasRefunds: records.hasRefunds };
    writes.push(...outboxRows(nameOf(writes.length), parameters, isNext));
  }
  const named = writes.map((write, n) => sql`${sql.raw(nameOf(n))} as (${write})`);
  // Not every statement uses all parameters, and PostgreSQL wants to know the type of each.
  const isTyped = sql`num_nulls(${given.finalParts}, ${given.columns}, ${given.news}) >= 0`;
  return sql`with ${sql.join(named)} select id from first where ${isTyped}`;
}

function nameOf(write: number): string {
  return write === 0 ? 'first' : `write_${write}`;
}

/** Its times are those of the database's clock, because every worker measures the outcome horizon with it. */
function attemptRow(place: number): RawBuilder<unknown> {
  return sql`
    insert into attempts (subject_id, step_name, attempt_number, step, request_id, reference, begun_at, send_by)
    select ${given.subjectId}, step_name, attempt_number, step, request_id, reference,
      clock_timestamp(), clock_timestamp() + send_within_ms * interval '1 millisecond'
    from jsonb_to_record(${parameter(place)}::jsonb) as attempt (step_name text, attempt_number integer, step jsonb,
      request_id text, reference text, send_within_ms double precision)
    returning id`;
}

/** Only an attempt that is open or has an unknown outcome gets an outcome. */
function outcomeRow(place: number): RawBuilder<unknown> {
  const record = sql`${parameter(place)}::jsonb`;
  return sql`
    update attempts set outcome = ${record}->>'outcome', event = ${record}->'event',
      settled_at = (${record}->>'at')::timestamptz
    where id = (${record}->>'attempt_id')::bigint and (outcome is null or outcome = 'unknown')
    returning id, begun_at`;
}

/** Records an outcome as evidence, without the transition. */
export const outcomeAlone = prepared('outcome-alone', () => outcomeRow(1));

const commandsGiven = sql`jsonb_to_recordset(${given.commands}) as given
  (id text, kind text, status text, result jsonb, is_own boolean)`;
const isOpen = sql`commands.status in ('accepted', 'executing')`;

/**
 * The commands of the subject's order and policies. A policy's command has no request: its row is inserted here. A final
 * outcome does not change, because its caller knows it. If a step is begun for a command with a final outcome, the whole
 * statement is refused.
 */
function orderAndPolicyCommands(cause: WriteCause): RawBuilder<unknown> {
  return sql`
    insert into commands (id, environment, application, idempotency_key, body_hash, kind, subject_id, parameters, status,
      result, requested_by)
    select id, ${given.environment}, ${given.application}, ${sql.lit(policyKeyPrefix)} || id, '', kind,
      ${given.subjectId}, '{}', status, result, 'policy'
    from ${commandsGiven}
    where is_own and ${isToBeWritten(cause)}
    on conflict (id) do update set ${commandChange(cause, 'excluded')}
      where ${isBegun(cause, 'excluded')} or ${isOpen}`;
}

/** A message may name any command: no row is inserted for it, and no row of another subject or kind is changed. */
function requestedCommands(cause: WriteCause): RawBuilder<unknown> {
  return sql`
    update commands set ${commandChange(cause, 'given')} from ${commandsGiven}
    where not given.is_own and commands.id = given.id and commands.subject_id = ${given.subjectId}
      and commands.kind in (given.kind, 'decide') and (${isBegun(cause, 'given')} or ${isOpen})
      and ${isToBeWritten(cause)}`;
}

function commandChange(cause: WriteCause, source: 'given' | 'excluded'): RawBuilder<unknown> {
  const status = sql.ref(`${source}.status`);
  return sql`result = ${sql.ref(`${source}.result`)}, updated_at = now(), status = case
    when ${isBegun(cause, source)} and not (${isOpen}) then ${refuseStatement(cause)}::text else ${status} end`;
}

function isBegun(cause: WriteCause, source: 'given' | 'excluded'): RawBuilder<unknown> {
  return cause === 'begin' ? sql`${sql.ref(`${source}.status`)} = 'executing'` : sql`false`;
}

/**
 * Closes commands still `executing` when the subject ends, for example when a worker died and its step is no longer
 * needed.
 */
function leftCommands(cause: WriteCause): RawBuilder<unknown> {
  return sql`
    update commands set result = ${given.leftResult}, updated_at = now(),
      status = case when kind = any(${given.fulfilled}) then 'succeeded' else 'failed' end
    where ${given.isEnding} and subject_id = ${given.subjectId} and status = 'executing'
      and not exists (select from ${commandsGiven} where given.id = commands.id) and ${isToBeWritten(cause)}`;
}

function callRows(cause: WriteCause): RawBuilder<unknown> {
  return sql`
    insert into api_calls (environment, application, subject_id, operation, method, path, status, request_id, debug_id,
      transaction_id, started_at, duration_ms, request, response, request_headers, response_headers, error)
    select ${given.environment}, ${given.application}, ${given.subjectId}, operation, method, path, status, request_id,
      debug_id, transaction_id, started_at, duration_ms, request, response, request_headers, response_headers, error
    from jsonb_to_recordset(${given.calls}) as call (operation text, method text, path text, status integer,
      request_id text, debug_id text, transaction_id text, started_at timestamptz, duration_ms integer, request jsonb,
      response jsonb, request_headers jsonb, response_headers jsonb, error text)
    where ${isToBeWritten(cause)}`;
}
