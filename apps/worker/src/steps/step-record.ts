import type { AttemptRow } from '#database/schema';
import {
  type Transition,
  CommandEndedError,
  LateTaskError,
  type NewOutcome,
  beginAttempt,
  findAttempts,
  writeAttemptOutcome,
  writeTransition,
} from '#database/transitions';
import type { ActivityInput, ActivityOutcome, Subject } from '#workflows/contract';
import { type LifecycleEvent, advance } from '#workflows/lifecycle';
import {
  type OpenStep,
  type StepEvent,
  type StepOf,
  withReviewAt,
  type DecisionRefused,
  type SteppingState,
} from '#workflows/lifecycle/step';
import type { AttemptIdentity } from './attempt-identity.js';
import { type Work, writerOf } from './bookkeeping.js';
import type { MappedFailure } from './error-mapping.js';
import { tellOfLateAnswer } from './late-answer.js';
import { isAnswered, isOpen, outcomeOnRecord } from './recorded-outcome.js';

/** Every event that a step's activity can report. */
export type Reported<Event> = Event | StepEvent | DecisionRefused;
export type Calls = NonNullable<Transition['calls']>;

/** What the activity returns, where that is neither the attempt's own event nor the outcome recorded before. */
interface RecordingOptions<Event extends LifecycleEvent> {
  /** What the run is told. */
  readonly taken?: ActivityOutcome<Reported<Event>>;
  /** What to do where another process has recorded the outcome before: that outcome counts. */
  readonly lost?: () => Promise<ActivityOutcome<Reported<Event>>>;
}

/** The open step of a run, as its rows tell of it: its attempts, what came of them, and the states before and after. */
export class StepRecord<
  Identity,
  State extends SteppingState<Step>,
  Event extends LifecycleEvent,
  Step extends StepOf,
> {
  readonly openStep: OpenStep<Step>;
  readonly subject: Subject;

  constructor(
    private readonly work: Work<Identity, State, Event, Step>,
    private readonly input: ActivityInput<Identity, State>,
  ) {
    this.openStep = requireOpenStep<Step>(input.state);
    this.subject = work.books.subjectOf(input.identity);
  }

  /** Every attempt of this step, oldest first. */
  async attempts(): Promise<AttemptRow[]> {
    return await findAttempts(
      this.work.context.db,
      this.subject.id,
      this.work.books.nameOfStep(this.openStep),
    );
  }

  /**
   * The attempt that the run is at. Not simply the latest: a worker that died may have begun another one since, which has a
   * horizon of its own.
   */
  present(attempts: readonly AttemptRow[]): AttemptRow {
    const attempt = attempts.find(({ attempt_number }) => attempt_number === this.openStep.attempts);
    if (!attempt) throw new Error('an attempt vanished');
    return attempt;
  }

  /** Those before the one that is about to be made. */
  async earlier(): Promise<AttemptRow[]> {
    const { attempts: number } = this.openStep;
    if (number === 0) return [];
    return (await this.attempts()).filter(({ attempt_number }) => attempt_number < number);
  }

  /**
   * Commits an attempt before it is sent.
   *
   * @returns its row's id; undefined where it was begun before; the event that its command came to nothing by, where its
   *   caller has been told so by a worker whose task got lost.
   */
  async begin(
    identity: AttemptIdentity,
    sendWithinMs: number,
  ): Promise<Awaited<ReturnType<typeof beginAttempt>> | Extract<StepEvent, { type: 'stepDeclined' }>> {
    const { context, books } = this.work;
    try {
      return await beginAttempt(context.db, this.transitionBefore(), {
        stepName: books.nameOfStep(this.openStep),
        attemptNumber: this.openStep.attempts,
        step: this.openStep.step,
        ...identity,
        sendWithinMs,
      });
    } catch (error) {
      if (!(error instanceof CommandEndedError)) throw error;
      return { type: 'stepDeclined', reason: error.reason };
    }
  }

  /** Records the outcome of an attempt, and the state that follows from it. */
  async writeOutcome(
    told: NewOutcome & { readonly event: Reported<Event> },
    calls: Calls,
    options: RecordingOptions<Event> = {},
  ): Promise<ActivityOutcome<Reported<Event>>> {
    const { context, books } = this.work;
    const at = told.at.getTime();
    const event = withReviewAt(told.event, books.waitPolicyOf(this.input.state), at);
    const outcome = { ...told, event };
    const { taken = { event, at }, lost = () => this.resume(calls) } = options;
    const recorded = await writeAttemptOutcome(context.db, this.transitionAfter(taken, calls), outcome);
    context.changes.announce(this.subject.id);
    if (recorded !== 'late') return recorded ? taken : await lost();
    if (!isOpen(outcome)) await tellOfLateAnswer(context, this.subject, outcome);
    throw new LateTaskError();
  }

  /**
   * The attempt was made before, and its answer was lost or is not here yet: what it left behind says how to go on.
   * Another task may have recorded its outcome from another state, so the rows are brought to the state of this run.
   */
  async resume(calls: Calls = []): Promise<ActivityOutcome<Reported<Event>>> {
    const attempts = await this.attempts();
    const attempt = this.present(attempts);
    const answered = attempts.find(isAnswered);
    if (attempt.event && !(isOpen(attempt) && answered))
      return await this.follow(outcomeOnRecord<Reported<Event>>(attempt), calls);
    const found: Pick<NewOutcome, 'outcome'> & { readonly event: Reported<Event> } = answered
      ? { outcome: 'answered', event: outcomeOnRecord<Reported<Event>>(answered).event }
      : this.inDoubt(attempt);
    return await this.writeOutcome({ attemptId: attempt.id, ...found, at: new Date() }, calls);
  }

  /** Begun, and no outcome recorded: its process died, or still waits for the answer. Only a lookup can tell. */
  inDoubt(attempt: AttemptRow): MappedFailure {
    const { outcomeHorizonMs } = this.work.books.waitPolicyOf(this.input.state);
    const horizonAt = attempt.send_by.getTime() + outcomeHorizonMs;
    return { outcome: 'unknown', event: { type: 'outcomeUnknown', horizonAt } };
  }

  /** Brings the rows to the state that follows from an outcome; the outcome itself is recorded already. */
  async follow(
    outcome: ActivityOutcome<Reported<Event>>,
    calls: Calls = [],
  ): Promise<ActivityOutcome<Reported<Event>>> {
    const { db, changes } = this.work.context;
    await writeTransition(db, this.transitionAfter(outcome, calls));
    changes.announce(this.subject.id);
    return outcome;
  }

  private transitionBefore(): Transition<State> {
    const { books } = this.work;
    const { state, version, timeline } = this.input;
    const command = books.commandOf(this.openStep.step, state);
    const executing = command ? [{ ...command, status: 'executing' as const }] : [];
    const commands = [...books.commandsIn(timeline), ...executing];
    return { ...this.writer(), state, version, timeline, commands };
  }

  private transitionAfter({ event, at }: ActivityOutcome<Reported<Event>>, calls: Calls): Transition<State> {
    const { books } = this.work;
    const { position, entry } = advance(books.lifecycle, this.input, event, at);
    const command = books.outcomeOfStep(this.openStep.step, event, position.state);
    const timeline = entry ? [...this.input.timeline, entry] : this.input.timeline;
    const commands = [...books.commandsIn(timeline), ...(command ? [command] : [])];
    return { ...this.writer(), ...position, timeline, commands, calls };
  }

  private writer() {
    return { ...writerOf(this.input), records: this.work.books.records, subject: this.subject };
  }
}

export function requireOpenStep<Step>({ openStep }: { readonly openStep?: OpenStep<Step> }): OpenStep<Step> {
  if (!openStep) throw new Error('no step is open');
  return openStep;
}
