import { type Restore, mayHaveLostAttempt } from '#database/commands';
import type { AttemptRow } from '#database/schema';
import {
  type Transition,
  CommandEndedError,
  LateTaskError,
  type NewOutcome,
  beginAttempt,
  writeAttemptOutcome,
  writeTransition,
} from '#database/transitions';
import type { Subject } from '#workflows/contract';
import { advance } from '#workflows/lifecycle';
import { type OpenStep, type StepEvent, withReviewAt } from '#workflows/lifecycle/step';
import { outcomesIn } from '../activities/command-outcomes.js';
import type { AttemptIdentity, AttemptPlace } from './attempt-identity.js';
import {
  type Calls,
  type InputOf,
  type Kind,
  type OutcomeOf,
  type Reported,
  type Work,
  taskOf,
} from '../activities/subject-writer.js';
import type { MappedFailure } from './error-mapping.js';
import { signalLateAnswer } from './late-answer.js';
import { attemptsKnown, isBegunSince } from './lost-attempts.js';
import { isAnswered, isOpen, outcomeOnRecord } from './recorded-outcome.js';

/** The result of beginning an attempt. Only a `begun` one may be sent. */
type Begin =
  | { readonly kind: 'begun'; readonly attemptId: number }
  /** The attempt has begun before, here or in another process. */
  | { readonly kind: 'repeated' }
  /** The command has a final outcome: a worker that lost its task has answered the caller with this event. */
  | { readonly kind: 'commandEnded'; readonly event: Extract<StepEvent, { type: 'stepDeclined' }> };

interface RecordingOptions<K extends Kind> {
  /** When the lookup began from which the outcome follows, by the database's clock. */
  readonly readBeganAt?: Date;
  /** The activity's result, if it differs from the recorded event. */
  readonly resultForRun?: OutcomeOf<K>;
  /** Called if another process has recorded the outcome first; default: `resume`. Returns the activity's result. */
  readonly onAlreadyRecorded?: () => Promise<OutcomeOf<K>>;
}

/** The rows of a run's open step: its attempts, their outcomes, and the states before and after. */
export class StepRecord<K extends Kind> {
  readonly openStep: OpenStep<K['step']>;
  readonly subject: Subject;

  constructor(
    private readonly work: Work<K>,
    private readonly input: InputOf<K>,
  ) {
    this.openStep = requireOpenStep<K['step']>(input.state);
    this.subject = work.writer.subjectOf(input.identity);
  }

  /**
   * Every attempt of this step, oldest first. The row of one that may have been sent before a restore is written after it,
   * so it counts as begun at the restored moment: a lookup that searched from its own begin would not see what was made.
   */
  async attempts(): Promise<AttemptRow[]> {
    const attempts = await this.attemptsUntil(this.openStep.attempts);
    const { restore } = this.work.context;
    if (!restore) return attempts;
    const isNew = isBegunSince(restore);
    if (!attempts.some(isNew) || !(await this.isFromBefore(restore))) return attempts;
    return attempts.map((attempt) =>
      isNew(attempt) ? { ...attempt, begun_at: restore.restoredTo } : attempt,
    );
  }

  private async attemptsUntil(last: number): Promise<AttemptRow[]> {
    const place = { ...this.placeOfAttempt(), attemptNumber: last };
    return await attemptsKnown(this.work.context, place, this.openStep.step);
  }

  /** The place of the attempt that the run is at. */
  placeOfAttempt(): AttemptPlace {
    const stepName = this.work.writer.nameOfStep(this.openStep);
    return { subjectId: this.subject.id, stepName, attemptNumber: this.openStep.attempts };
  }

  /**
   * Whether the run's attempt may have been sent although it has no row, because the database was restored. One that
   * comes after another has been looked up since is new, and so is one that asks again for the batch of a payout.
   */
  async mayHaveBeenSent(): Promise<boolean> {
    const { restore } = this.work.context;
    if (!restore) return false;
    const begunSince = (await this.earlier()).filter(isBegunSince(restore));
    const hasOutcome = begunSince.some(({ outcome }) => outcome !== null);
    return !hasOutcome && (await this.isFromBefore(restore));
  }

  private async isFromBefore({ restoredAt }: Restore): Promise<boolean> {
    const { context, writer } = this.work;
    const command = writer.commandOf(this.openStep.step, this.input.state);
    return await mayHaveLostAttempt(context.db, this.subject, command?.commandId, restoredAt);
  }

  /**
   * The attempt that the run is at. It is not always the latest: a worker that crashed may have begun another one, with
   * its own horizon.
   */
  present(attempts: readonly AttemptRow[]): AttemptRow {
    const attempt = attempts.find(({ attempt_number }) => attempt_number === this.openStep.attempts);
    if (!attempt) throw new Error('the attempt of the open step has no row');
    return attempt;
  }

  /** The attempts before the next one. */
  async earlier(): Promise<AttemptRow[]> {
    const { attempts: number } = this.openStep;
    if (number === 0) return [];
    return (await this.attemptsUntil(number - 1)).filter(({ attempt_number }) => attempt_number < number);
  }

  /** Commits an attempt before it is sent. */
  async begin(identity: AttemptIdentity, seen: object, sendWithinMs: number): Promise<Begin> {
    const { context, writer } = this.work;
    try {
      const attemptId = await beginAttempt(context.db, this.transitionBefore(), {
        stepName: writer.nameOfStep(this.openStep),
        attemptNumber: this.openStep.attempts,
        step: { ...this.openStep.step, ...seen },
        ...identity,
        sendWithinMs,
      });
      return attemptId === undefined ? { kind: 'repeated' } : { kind: 'begun', attemptId };
    } catch (error) {
      if (!(error instanceof CommandEndedError)) throw error;
      return { kind: 'commandEnded', event: { type: 'stepDeclined', reason: error.reason } };
    }
  }

  /**
   * Records the outcome of an attempt, and the state that follows from it.
   *
   * @returns the result for the run: the recorded event, or as in `options`.
   * @throws {LateTaskError} if a newer task has written the rows; the outcome is recorded nevertheless.
   */
  async writeOutcome(
    found: NewOutcome & { readonly event: Reported<K> },
    calls: Calls,
    options: RecordingOptions<K> = {},
  ): Promise<OutcomeOf<K>> {
    const { context, writer } = this.work;
    const at = found.at.getTime();
    const shown = await this.withRows(found.event);
    const event = withReviewAt(shown, writer.waitPolicyOf(this.input.state), at);
    const outcome = { ...found, event };
    const {
      resultForRun = { event, at },
      onAlreadyRecorded = () => this.resume(calls),
      readBeganAt,
    } = options;
    const announce = () => context.changes.announce(this.subject.id);
    const transition = { ...this.transitionAfter(resultForRun, calls), readBeganAt };
    const recorded = await writeAttemptOutcome(context.db, transition, outcome, announce);
    if (recorded !== 'recorded') announce();
    if (recorded !== 'late') return recorded ? resultForRun : await onAlreadyRecorded();
    if (!isOpen(outcome)) await signalLateAnswer(context, this.subject, outcome);
    throw new LateTaskError();
  }

  /**
   * The attempt was made before, and its answer was lost or has not come yet. Continues from its rows. Another task may
   * have recorded its outcome from another state, so the rows are updated to the state of this run.
   *
   * @returns the recorded outcome of the step; without one, an unknown outcome, which is recorded.
   */
  async resume(calls: Calls = []): Promise<OutcomeOf<K>> {
    const attempts = await this.attempts();
    const attempt = this.present(attempts);
    const answered = attempts.find(isAnswered);
    if (attempt.event && !(isOpen(attempt) && answered))
      return await this.writeRecordedOutcome(outcomeOnRecord<Reported<K>>(attempt), calls);
    const found: Pick<NewOutcome, 'outcome'> & { readonly event: Reported<K> } = answered
      ? { outcome: 'answered', event: outcomeOnRecord<Reported<K>>(answered).event }
      : this.unknownOutcome(attempt);
    return await this.writeOutcome({ attemptId: attempt.id, ...found, at: new Date() }, calls);
  }

  /**
   * The attempt has begun and has no outcome: its process died, or still waits for the answer. Only a lookup can show
   * it.
   */
  unknownOutcome(attempt: AttemptRow): MappedFailure {
    const { outcomeHorizonMs } = this.work.writer.waitPolicyOf(this.input.state);
    const horizonAt = attempt.send_by.getTime() + outcomeHorizonMs;
    return { outcome: 'unknown', event: { type: 'outcomeUnknown', horizonAt } };
  }

  /**
   * Updates the rows to the state that follows from an outcome that is already recorded.
   *
   * @returns the same outcome, for the run.
   */
  async writeRecordedOutcome(recorded: OutcomeOf<K>, calls: Calls = []): Promise<OutcomeOf<K>> {
    const { db, changes } = this.work.context;
    const outcome = { ...recorded, event: await this.withRows(recorded.event) };
    await writeTransition(db, this.transitionAfter(outcome, calls), () => changes.announce(this.subject.id));
    return outcome;
  }

  private async withRows(event: Reported<K>): Promise<Reported<K>> {
    const { context, writer } = this.work;
    return (await writer.withRows?.(context.db, this.input, event)) ?? event;
  }

  private transitionBefore(): Transition<K['state']> {
    const { writer } = this.work;
    const { state, version, timeline } = this.input;
    const command = writer.commandOf(this.openStep.step, state);
    const executing = command ? [{ ...command, status: 'executing' as const }] : [];
    const commands = [...outcomesIn(writer, timeline, state), ...executing];
    return { ...this.target(), state, version, timeline, commands };
  }

  private transitionAfter({ event, at }: OutcomeOf<K>, calls: Calls): Transition<K['state']> {
    const { writer } = this.work;
    const { position, entry } = advance(writer.lifecycle, this.input, event, at);
    const command = writer.outcomeOfStep(this.openStep.step, event, position.state);
    const timeline = entry ? [...this.input.timeline, entry] : this.input.timeline;
    const commands = [...outcomesIn(writer, timeline, this.input.state), ...(command ? [command] : [])];
    return { ...this.target(), ...position, timeline, commands, calls };
  }

  private target() {
    return { ...taskOf(this.input), records: this.work.writer.records, subject: this.subject };
  }
}

export function requireOpenStep<Step>({ openStep }: { readonly openStep?: OpenStep<Step> }): OpenStep<Step> {
  if (!openStep) throw new Error('no step is open');
  return openStep;
}
