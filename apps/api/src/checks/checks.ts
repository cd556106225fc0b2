import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { Runs, TemporalAwayError } from '#runs';
import type { RunStart, Subject } from '#workflows/contract';
import type { LifecycleState } from '#workflows/lifecycle';
import type { OpenStep } from '#workflows/lifecycle/step';
import { type ApiConfig, apiConfig } from '../api-config.js';
import { Changes } from '../commands/changes.js';

/** What runs are told: a hint that does not come from the provider. */
export const providerCheck = { type: 'providerNotified', eventType: 'CHECK', isCheck: true } as const;
/** The same to the run of a refund. */
export const refundCheck = { ...providerCheck, type: 'refundNotified' } as const;
type CheckEvent = typeof providerCheck | typeof refundCheck;

type CheckedState = LifecycleState & { readonly openStep?: OpenStep<unknown> };

interface CheckedRow extends Subject {
  readonly version: number;
  readonly state: CheckedState;
}

/** What is checked. */
interface CheckTarget<Row extends CheckedRow, Event extends CheckEvent> {
  /** @throws {Problem} 404. */
  read(): Promise<Row>;
  readonly event: Event;
  readonly lifecycle: {
    transition(state: Row['state'], event: NoInfer<Event>, now: number): { readonly kind: string };
    isTerminal(status: Row['state']['status']): boolean;
  };
  /** The run that reads what comes after the end, where anything can. */
  runAfterEnd?(row: Row): RunStart;
}

export interface Checked<Row> {
  readonly row: Row;
  /** False where the provider has not been asked within the time that a caller waits. */
  readonly isDone: boolean;
}

/**
 * Has a run ask the provider at once. It moves nothing, and hurries no call that the provider has asked to wait for: what
 * could be looked at only then is answered as it stands.
 */
@Injectable()
export class Checks {
  constructor(
    @Inject(Runs) private readonly runs: Runs,
    @Inject(Changes) private readonly changes: Changes,
    @Inject(apiConfig) private readonly config: ApiConfig,
  ) {}

  /**
   * @throws {Problem} 404.
   * @throws {TemporalAwayError} when it is not certain that the run was told.
   */
  async check<Row extends CheckedRow, Event extends CheckEvent>(
    target: CheckTarget<Row, Event>,
  ): Promise<Checked<Row>> {
    const before = await target.read();
    if (!(await this.isAsked(target, before))) return { row: before, isDone: true };
    // Each look is on record with a version of its own, also one that shows nothing new; so is that a call was begun.
    const isLater = ({ version, state }: Row): boolean =>
      version > before.version && state.openStep?.phase !== 'running';
    const row = await this.changes.until(before.id, this.config.answerWithinMs, {
      look: () => target.read(),
      satisfies: isLater,
      known: before,
    });
    return { row, isDone: isLater(row) };
  }

  /** @returns false where there is nothing to look at now. */
  private async isAsked<Row extends CheckedRow, Event extends CheckEvent>(
    target: CheckTarget<Row, Event>,
    row: Row,
  ): Promise<boolean> {
    const { lifecycle, event } = target;
    const { environment, application, id, state } = row;
    // A call is under way: its answer is what there is to be known.
    if (state.openStep?.phase === 'running') return true;
    if (lifecycle.transition(state, event, Date.now()).kind !== 'moved') return false;
    const message = { id: `check:${randomUUID()}`, event };
    if (lifecycle.isTerminal(state.status)) {
      if (!target.runAfterEnd) return false;
      await this.runs.startAgainWithMessage(target.runAfterEnd(row), message);
      return true;
    }
    if (await this.runs.signal({ environment, application, id }, message)) return true;
    // A run that is gone before its subject has ended gets another one, which reads by itself.
    if (!lifecycle.isTerminal((await target.read()).state.status)) throw new TemporalAwayError('no-run');
    return true;
  }
}
