import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { readClock } from '#database/commands';
import type { Database } from '#database/connection';
import { Runs, TemporalAwayError } from '#runs';
import type { RunStart, Subject } from '#workflows/contract';
import type { LifecycleState } from '#workflows/lifecycle';
import type { OpenStep } from '#workflows/lifecycle/step';
import { type ApiConfig, apiConfig } from '../injected/api-config.js';
import { databaseToken } from '../injected/database-token.js';
import { ChangeWaits } from '../commands/wait-for-change.js';

/** The message to the run: a hint that does not come from the provider. */
export const providerCheck = { type: 'providerNotified', eventType: 'CHECK', isCheck: true } as const;
/** The same message to the run of a refund. */
export const refundCheck = { ...providerCheck, type: 'refundNotified' } as const;
type CheckEvent = typeof providerCheck | typeof refundCheck;

type CheckedState = LifecycleState & { readonly openStep?: OpenStep<unknown> };

interface CheckedRow extends Subject {
  readonly read_began_at: Date | null;
  readonly state: CheckedState;
}

/** The subject to check. */
interface CheckTarget<Row extends CheckedRow, Event extends CheckEvent> {
  /** @throws {Problem} 404. */
  read(): Promise<Row>;
  readonly event: Event;
  readonly lifecycle: {
    transition(state: Row['state'], event: NoInfer<Event>, now: number): { readonly kind: string };
    isTerminal(status: Row['state']['status']): boolean;
  };
  /** The run that reads the subject after its end, for subjects that can still change then. */
  runAfterEnd?(row: Row): RunStart;
}

export interface Checked<Row> {
  readonly row: Row;
  /** False if the provider was not asked within the time that a caller waits. */
  readonly isDone: boolean;
}

/**
 * Makes a run ask the provider at once. It moves no money. When the provider has asked us to wait before the next call,
 * no call is made and the row is answered as it is.
 */
@Injectable()
export class Checks {
  constructor(
    @Inject(Runs) private readonly runs: Runs,
    @Inject(ChangeWaits) private readonly changes: ChangeWaits,
    @Inject(databaseToken) private readonly db: Database,
    @Inject(apiConfig) private readonly config: ApiConfig,
  ) {}

  /**
   * @throws {Problem} 404.
   * @throws {TemporalAwayError} when it is not certain that the run got the message.
   */
  async check<Row extends CheckedRow, Event extends CheckEvent>(
    target: CheckTarget<Row, Event>,
  ): Promise<Checked<Row>> {
    const until = performance.now() + this.config.answerWithinMs;
    const first = await target.read();
    const before = await this.waits(target, first, until, isAtRest);
    if (isRunning(before)) return { row: before, isDone: false };
    // The call's answer has brought the newest facts. If it is lost, the provider is asked for them.
    if (isRunning(first) && !isInDoubt(before)) return { row: before, isDone: true };
    const askedAt = await readClock(this.db);
    if (!(await this.isAsked(target, before))) return { row: before, isDone: true };
    const isShown = (row: Row): boolean =>
      isAtRest(row) && ((isReadSince(row, askedAt) && !isNewDoubt(before, row)) || hasLeft(before, row));
    const row = await this.waits(target, before, until, isShown);
    return { row, isDone: isShown(row) };
  }

  private async waits<Row extends CheckedRow, Event extends CheckEvent>(
    target: CheckTarget<Row, Event>,
    known: Row,
    until: number,
    satisfies: (row: Row) => boolean,
  ): Promise<Row> {
    if (satisfies(known)) return known;
    const read = () => target.read();
    return await this.changes.until(known.id, until - performance.now(), { read, satisfies, known });
  }

  /** @returns false if there is nothing to ask the provider now. */
  private async isAsked<Row extends CheckedRow, Event extends CheckEvent>(
    target: CheckTarget<Row, Event>,
    row: Row,
  ): Promise<boolean> {
    const { lifecycle, event } = target;
    const { environment, application, id, state } = row;
    if (lifecycle.transition(state, event, Date.now()).kind !== 'moved') return false;
    const message = { id: `check:${randomUUID()}`, event };
    if (lifecycle.isTerminal(state.status)) {
      if (!target.runAfterEnd) return false;
      await this.runs.startAgainWithMessage(target.runAfterEnd(row), message);
      return true;
    }
    if (await this.runs.signal({ environment, application, id }, message)) return true;
    // If a run is lost before its subject has ended, a new run starts later and reads the provider itself.
    if (!lifecycle.isTerminal((await target.read()).state.status)) throw new TemporalAwayError('no-run');
    return true;
  }
}

function isRunning({ state: { openStep } }: CheckedRow): boolean {
  return openStep?.phase === 'running';
}

function isAtRest(row: CheckedRow): boolean {
  return !isRunning(row);
}

function isInDoubt({ state: { openStep } }: CheckedRow): boolean {
  return openStep?.phase === 'doubt';
}

/** Both instants are of the database's clock. A read of the same millisecond may have begun before. */
function isReadSince({ read_began_at: beganAt }: CheckedRow, askedAt: Date): boolean {
  return beganAt !== null && beganAt > askedAt;
}

/** The answer to a call that began after the request was lost: it has shown nothing. */
function isNewDoubt(before: CheckedRow, row: CheckedRow): boolean {
  return isInDoubt(row) && !isInDoubt(before);
}

/** The outcome of the step was unknown and is known now: the answer to its call came late. */
function hasLeft(before: CheckedRow, { state: { openStep } }: CheckedRow): boolean {
  return isInDoubt(before) && openStep?.number !== before.state.openStep?.number;
}
