import type { NewApiCall } from '#database/calls';
import type { AttemptRow, PayoutItemRow } from '#database/schema';
import type { Transition } from '#database/transitions';
import type { NewAttempt, NewOutcome } from '#database/transitions/write-transition.js';
import type { LifecycleState } from '#workflows/lifecycle';
import { CommandRows, isOpen } from './command-rows.js';
import type { BookedCycle, NewCommand, RowsWatcher, SubjectRow } from './row-types.js';
import { isOfNewerTask, isOfSameTask, lastOf } from './task-order.js';
import { TimelineRows } from './timeline-rows.js';

type Basis = 'begin' | 'outcome' | 'reading';

/** The statement was refused as a whole, as migration 0012 does it. */
export class OvertakenError extends Error {
  override readonly name = 'OvertakenError';
}

/**
 * The engine's rows as libs/database writes them, copied statement by statement: write-transition.ts, transition-statement.ts,
 * subject-row.ts and end-on-record.ts. A property test holds the copy against the statements themselves on PostgreSQL.
 */
export class Rows {
  readonly subjects = new Map<string, SubjectRow>();
  readonly commands = new CommandRows((before, after) => this.watcher?.commandChanged(before, after));
  readonly attempts: AttemptRow[] = [];
  readonly timelines = new TimelineRows();
  readonly resources = new Map<string, string>();
  readonly calls: (NewApiCall & { readonly subjectId: string })[] = [];
  readonly items = new Map<string, readonly PayoutItemRow[]>();
  /** Of what payers have come back to cancel. */
  readonly payerCancelled = new Set<string>();
  readonly book = new Map<string, ReadonlyMap<string, BookedCycle>>();
  /** Of payouts, until the provider has them. */
  readonly letters = new Map<string, Buffer>();
  watcher: RowsWatcher | undefined;

  /** @param now milliseconds, by the database's clock. */
  constructor(readonly now: () => number) {}

  /** What a transaction writes besides a transition, which refuses before it writes: taken back by the returned function. */
  checkpoint(): () => void {
    const [book, resources] = [new Map(this.book), new Map(this.resources)];
    return () => {
      restore(this.book, book);
      restore(this.resources, resources);
    };
  }

  order(subject: SubjectRow, command: NewCommand): void {
    this.insert(subject);
    this.commands.accept(command);
  }

  insert(subject: SubjectRow): void {
    this.subjects.set(subject.id, subject);
    this.watcher?.subjectChanged(undefined, subject, []);
  }

  beginAttempt<State extends LifecycleState>(
    transition: Transition<State>,
    attempt: NewAttempt,
  ): number | undefined {
    const { subject } = transition;
    this.timelines.claim(transition);
    if (this.findAttempt(subject.id, attempt.stepName, attempt.attemptNumber)) return undefined;
    this.refuseOvertaken(transition, 'begin');
    const begun = this.insertAttempt(
      {
        subject_id: subject.id,
        step_name: attempt.stepName,
        attempt_number: attempt.attemptNumber,
        step: attempt.step,
        request_id: attempt.requestId,
        reference: attempt.reference,
      },
      attempt.sendWithinMs,
    );
    this.watcher?.attemptBegun?.(begun);
    this.write(transition, 'begin');
    return begun.id;
  }

  insertAttempt(
    identity: Omit<AttemptRow, 'id' | 'begun_at' | 'send_by' | 'outcome' | 'event' | 'settled_at'>,
    sendWithinMs: number,
  ): AttemptRow {
    const now = this.now();
    const dates = { begun_at: new Date(now), send_by: new Date(now + sendWithinMs), settled_at: null };
    const row = { id: this.attempts.length + 1, ...identity, ...dates, outcome: null, event: null };
    this.attempts.push(row);
    return row;
  }

  /** @throws {OvertakenError} and records nothing. */
  writeAttemptOutcome<State extends LifecycleState>(
    transition: Transition<State>,
    outcome: NewOutcome,
  ): boolean {
    this.timelines.claim(transition);
    this.refuseOvertaken(transition, 'outcome');
    if (!this.recordOutcome(outcome)) return false;
    this.write(transition, 'outcome');
    return true;
  }

  /** Without the rows of a transition. */
  recordOutcome({ attemptId, outcome, event, at: recordedAt }: NewOutcome): boolean {
    const at = this.attempts.findIndex(({ id }) => id === attemptId);
    const attempt = this.attempts[at];
    if (!attempt || (attempt.outcome !== null && attempt.outcome !== 'unknown')) return false;
    const recorded = { ...attempt, outcome, event, settled_at: recordedAt };
    this.attempts[at] = recorded;
    this.watcher?.outcomeRecorded?.(attempt, recorded);
    return true;
  }

  /** @throws {OvertakenError} and writes nothing. */
  writeTransition<State extends LifecycleState>(transition: Transition<State>): void {
    this.timelines.claim(transition);
    this.refuseOvertaken(transition, 'reading');
    this.write(transition, 'reading');
  }

  findAttempts(subjectId: string, stepName: string): AttemptRow[] {
    return this.attempts
      .filter(({ subject_id, step_name }) => subject_id === subjectId && step_name === stepName)
      .toSorted((one, other) => one.attempt_number - other.attempt_number);
  }

  findAttempt(subjectId: string, stepName: string, attemptNumber: number): AttemptRow | undefined {
    return this.findAttempts(subjectId, stepName).find(
      ({ attempt_number }) => attempt_number === attemptNumber,
    );
  }

  recordCalls(subjectId: string, calls: readonly NewApiCall[]): void {
    this.calls.push(...calls.map((call) => ({ ...call, subjectId })));
  }

  private write<State extends LifecycleState>(transition: Transition<State>, basis: Basis): void {
    const { records, subject, state, timeline, commands = [], calls = [] } = transition;
    // All parts of the statement see the rows as they were before it.
    const left = hasEnded(transition) ? this.commands.leftBy(transition) : [];
    this.writeSubject(transition, basis);
    for (const { id } of records.resourcesOf(state)) {
      if (!this.resources.has(id)) this.resources.set(id, subject.id);
    }
    this.timelines.write(subject.id, timeline);
    for (const command of commands) this.commands.upsert(subject.id, command);
    for (const command of left) this.commands.write(command);
    this.recordCalls(subject.id, calls);
  }

  private refuseOvertaken<State extends LifecycleState>(transition: Transition<State>, basis: Basis): void {
    const { records, subject, knownStatus = null, taskStartedAt, commands = [] } = transition;
    const row = this.subjects.get(subject.id);
    const isSuperseded =
      basis !== 'begin' && taskStartedAt !== undefined && (row?.taskStartedAt ?? 0) > taskStartedAt;
    const isEndUnknown = row !== undefined && records.ends.includes(row.status) && row.status !== knownStatus;
    if (isEndUnknown || isSuperseded) throw new OvertakenError();
    if (basis !== 'begin') return;
    for (const command of commands) {
      const known = this.commands.findNamed(subject.id, command);
      if (command.status === 'executing' && known && !isOpen(known)) throw new OvertakenError();
    }
  }

  private writeSubject<State extends LifecycleState>(transition: Transition<State>, basis: Basis): void {
    const { records, subject, state, version, timeline, taskStartedAt } = transition;
    const known = this.subjects.get(subject.id);
    if (!known) return;
    if (losesLines(known, transition, basis)) this.timelines.supersede(transition);
    if (isOfNewerTask(known, transition)) this.timelines.restore(transition);
    if (!keepsFinalParts(known, transition)) return this.markWaiting(known);
    if (basis !== 'reading' || isNewerReading(known, transition)) {
      const isOfTask = taskStartedAt !== undefined && (known.taskStartedAt ?? 0) <= taskStartedAt;
      const after = {
        ...known,
        state: records.newerParts?.beside(state, known.state as State) ?? state,
        status: state.status,
        version: known.version < version ? version : known.version + 1,
        ...(isOfTask && { taskStartedAt, taskVersion: version }),
        waitsSince: undefined,
      };
      this.subjects.set(subject.id, after);
      if (records.columnsOf?.(state)['sealed_letters'] === null) this.letters.delete(subject.id);
      this.watcher?.subjectChanged(known, after, timeline);
    }
  }

  /** What else the statement writes is newer than the row, until its run knows the part, too. */
  private markWaiting(row: SubjectRow): void {
    this.subjects.set(row.id, { ...row, waitsSince: row.waitsSince ?? this.now() });
  }
}

/** Newer than what stands in the row: by its task, else by the version that the same task wrote last. */
function isNewerReading<State extends LifecycleState>(
  known: SubjectRow,
  transition: Transition<State>,
): boolean {
  const { records, version } = transition;
  if (isOfNewerTask(known, transition)) return true;
  const last = isOfSameTask(known, transition) ? lastOf(known) : known.version;
  return last <= version || (hasEnded(transition) && !records.ends.includes(known.status));
}

/** A lost task may have written lines, or an earlier try of the same read. */
function losesLines<State extends LifecycleState>(
  known: SubjectRow,
  transition: Transition<State>,
  basis: Basis,
): boolean {
  const isRead = basis === 'reading' && lastOf(known) <= transition.version;
  return isOfNewerTask(known, transition) || (isRead && isOfSameTask(known, transition));
}

/** True where nothing that was told as final of a part is told otherwise; an end waits for nothing. */
function keepsFinalParts<State extends LifecycleState>(
  known: SubjectRow,
  transition: Transition<State>,
): boolean {
  const { finalParts } = transition.records;
  if (!finalParts || hasEnded(transition)) return true;
  const next = finalParts.of(transition.state);
  return [...finalParts.of(known.state as State)].every(([id, end]) => next.get(id) === end);
}

function hasEnded<State extends LifecycleState>({ records, state }: Transition<State>): boolean {
  return records.ends.includes(state.status);
}

function restore<Key, Value>(changed: Map<Key, Value>, kept: ReadonlyMap<Key, Value>): void {
  changed.clear();
  for (const [key, value] of kept) changed.set(key, value);
}
