import {
  ApplicationFailure,
  CancellationScope,
  allHandlersFinished,
  condition,
  log,
  setCurrentDetails,
} from '@temporalio/workflow';
import type { Instant, LifecycleEvent } from '../lifecycle/lifecycle.js';
import type {
  Continued,
  MadeStep,
  RecordOutcome,
  RunMessage,
  RunSnapshot,
  StepResult,
} from '../contract/run.js';
import { type CallOf, call } from './local-activities.js';
import { persistCause } from './persist-cause.js';
import { repeatWhileLate } from './repeat-while-late.js';
import type { Intake, Taken } from './intake.js';
import { MessageInbox } from './message-inbox.js';
import { RecordedIntake } from './recorded-intake.js';
import { callOf, nextDeadline, type RunParts, type RunState } from './run-parts.js';
import { RunPosition } from './run-position.js';
import { UnrecordedIntake } from './unrecorded-intake.js';

/**
 * The loop of every run. It takes messages, deadlines and the outcomes of its own calls one after the other, and carries
 * out the effects of the transitions.
 *
 * Local activities are safe here for two reasons (docs/decisions/0005). The cause of a step that moves money is in the
 * history before the step is sent: the start, a signal or a fired timer; `persistCause` makes sure of it. And the attempt
 * has a row before it is sent.
 */
export class LifecycleRun<
  State extends RunState,
  Event extends LifecycleEvent,
  Effect extends { readonly type: string },
  Sent extends RunMessage<Event>,
> {
  private readonly intake: Intake<Sent, Event>;
  private readonly position: RunPosition<State, Event, Effect>;
  /** When the current workflow task began. */
  private taskStartedAt: Instant = Date.now();
  private callsMade = 0;
  /** The cause of the next effect is not in the history yet: a read, or a deadline that came before any message. */
  private causeNotInHistory = false;

  /** @param continued set if the run continues another one. */
  constructor(
    private readonly parts: RunParts<State, Event, Effect, Sent>,
    first: State,
    private readonly continued: Continued<State, Sent> | undefined,
  ) {
    this.position = new RunPosition(parts.lifecycle, continued ?? { state: first, version: 0 });
    const inbox = new MessageInbox(continued?.seen, continued?.waiting);
    const intakeParts = {
      isHint: (event: Event) => parts.isHint(event),
      sharesReads: () => parts.sharesReads(),
      hasWaited: () => this.beginTask(),
      recordedAt: () => this.position.recordedAt,
      takesEvents: parts.takesEvents,
      stepOf: (taken: Taken<Event>) => this.stepOf(taken),
    };
    this.intake = parts.recordsTime
      ? new RecordedIntake(inbox, intakeParts)
      : new UnrecordedIntake(inbox, intakeParts);
  }

  /** Returns when the subject has ended and all received messages are answered. */
  async run(): Promise<void> {
    // A cancelled run would leave its subject without a run, perhaps with money on its way. Only requests end it.
    await CancellationScope.nonCancellable(async () => {
      if (!this.continued) await this.carryOutEffects(this.parts.firstEffect);
      while (!this.hasEnded()) {
        const next = await this.nextEvent();
        if (next) await this.advanceBy(next, await this.caughtUp(next));
        if (this.isLongEnough()) await this.continueAsNew();
      }
      setCurrentDetails(this.parts.describe(this.state));
      await condition(allHandlersFinished);
    });
  }

  receive(message: Sent): void {
    this.intake.receive(message);
  }

  /**
   * Accepts a repetition of an earlier message, because the inbox recognizes it.
   *
   * @throws {ApplicationFailure} with the refusal's code as its type, if the lifecycle refuses the message now.
   */
  assertTakes({ id, event }: Sent): void {
    if (this.intake.inbox.knows(id)) return;
    const result = this.parts.lifecycle.transition(this.state, event, Date.now());
    if (result.kind !== 'refused') return;
    const { code, reason } = result.refusal;
    throw ApplicationFailure.create({ type: code, message: reason, nonRetryable: true });
  }

  snapshot(): RunSnapshot<State> {
    const deadline = this.parts.lifecycle.nextDeadline(this.state);
    return {
      ...this.position.present,
      waitingMessages: this.intake.inbox.size,
      ...(deadline && { nextDeadline: { at: deadline.at, event: deadline.event.type } }),
    };
  }

  get state(): State {
    return this.position.present.state;
  }

  /** A message that arrived during the last step was accepted, so it is answered before the run closes. */
  private hasEnded(): boolean {
    return this.isOver() && this.intake.inbox.size === 0;
  }

  private isOver(): boolean {
    const { lifecycle } = this.parts;
    return lifecycle.isTerminal(this.state.status) && lifecycle.owesAfterEnd?.(this.state) !== true;
  }

  private async nextEvent(): Promise<Taken<Event> | undefined> {
    setCurrentDetails(this.parts.describe(this.state));
    const taken = await this.intake.next(nextDeadline(this.parts, this.state));
    this.position.expect(undefined);
    if (taken && this.parts.isUpdate?.(taken.event)) await this.persistUpdate();
    if (taken?.isDeadline) this.causeNotInHistory = true;
    return taken;
  }

  /**
   * Makes the read or lookup that must precede the refusal of a request: the rows accepted it, and they can be newer
   * than this run's state.
   *
   * @returns when the event is taken.
   */
  private async caughtUp(taken: Taken<Event>): Promise<Instant> {
    const at = taken.takenAt();
    const look = this.parts.lookBefore(this.state, taken.event, at);
    if (!look) return at;
    await this.carryOutEffects(look);
    return await this.intake.now();
  }

  /**
   * The step to which an event leads, if it may be carried out in the same activity that records the view. Not after an
   * Update or before a read that must come first, and nothing may move money whose cause is not in the history.
   */
  private stepOf(taken: Taken<Event>): CallOf<unknown> | undefined {
    const { parts } = this;
    const { event, isDeadline } = taken;
    const at = taken.takenAt();
    if (parts.isUpdate?.(event) || parts.lookBefore(this.state, event, at)) return undefined;
    const { effect, hasEntry, position, input } = this.position.after(event, at, this.taskStartedAt);
    if (effect?.type === 'perform' && (isDeadline || this.causeNotInHistory)) return undefined;
    if (!effect) return hasEntry ? parts.record(input) : undefined;
    this.position.expect(position);
    setCurrentDetails(parts.describe(position.state, effect));
    return callOf(parts, effect, input);
  }

  private async advanceBy({ event, made }: Taken<Event>, at: Instant): Promise<void> {
    this.position.beginEvent();
    const effect = this.position.advance(event, at);
    if (effect) await this.carryOutEffects(effect, made);
    else if (!this.position.isRecorded) await this.record(made);
  }

  /**
   * Carries out an effect, then the effects of its outcomes.
   *
   * @param made set if the activity `takeEvent` has carried out the first effect already.
   */
  private async carryOutEffects(first: Effect | undefined, made?: MadeStep): Promise<void> {
    let effect = first;
    for (let given = made; effect; given = undefined) {
      if (effect.type === 'perform') await this.persistCause();
      else this.causeNotInHistory = true;
      if (!given) setCurrentDetails(this.parts.describe(this.state, effect));
      this.callsMade += 1;
      const doing = effect;
      const result: StepResult<State, Event> = await repeatWhileLate(
        () => call(callOf(this.parts, doing, this.position.forActivity(this.taskStartedAt))),
        ({ isUnpersisted = false }) => this.beginTask(isUnpersisted && doing.type !== 'perform'),
        given && { result: given.result as StepResult<State, Event> },
      );
      if ('isUnfounded' in result) return this.undoRequest(result.wasRefused === true);
      effect =
        'ended' in result ? this.position.adoptEnd(result) : this.position.advance(result.event, result.at);
      // The activity has computed the same transition as this run.
      this.position.markWritten();
    }
  }

  /**
   * An Update is in the history only when its workflow task has completed. A server that dies before forgets the Update.
   * Then no row may show it as carried out, because its sender would not send it again.
   */
  private async persistUpdate(): Promise<void> {
    this.causeNotInHistory = true;
    await this.persistCause();
  }

  /** A read or deadline is in the history before money moves. */
  private async persistCause(): Promise<void> {
    if (!this.causeNotInHistory) return;
    await persistCause(this.parts);
    this.beginTask();
  }

  /** Everything before this task is in the history, except a read that is repeated in it. */
  private beginTask(causeNotInHistory = false): void {
    this.causeNotInHistory = causeNotInHistory;
    this.taskStartedAt = Date.now();
  }

  private async record(made?: MadeStep): Promise<void> {
    const outcome = await repeatWhileLate(
      () => call(this.parts.record(this.position.forActivity(this.taskStartedAt))),
      () => this.beginTask(),
      made && { result: made.result as RecordOutcome<State> | null },
    );
    if (outcome && 'isUnfounded' in outcome) return this.undoRequest(outcome.wasRefused === true);
    if (outcome && 'ended' in outcome) this.position.adoptEnd(outcome);
    this.position.markWritten();
  }

  /** Undoes a request without an accepted row: a signal is not a permission. The activity has written a timeline line. */
  private undoRequest(wasRefused: boolean): void {
    this.position.undoRequest(wasRefused ? 'refusedBefore' : 'notAccepted');
    if (!wasRefused)
      log.error('a run refused a request without an accepted command: check who can write to Temporal');
  }

  private isLongEnough(): boolean {
    if (this.isOver()) return false;
    const { messagesPerRun, callsPerRun = Number.POSITIVE_INFINITY } = this.parts;
    if (this.intake.messagesTaken >= messagesPerRun || this.callsMade >= callsPerRun) return true;
    return this.intake.isLong();
  }

  private async continueAsNew(): Promise<void> {
    await condition(allHandlersFinished);
    await this.parts.continueAsNew({ ...this.position.carriedOver, ...this.intake.carriedOver() });
  }
}
