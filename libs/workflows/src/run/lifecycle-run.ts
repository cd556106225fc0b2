import {
  ApplicationFailure,
  CancellationScope,
  allHandlersFinished,
  condition,
  log,
  setCurrentDetails,
  sleep,
} from '@temporalio/workflow';
import type { Instant, LifecycleEvent, LifecycleState } from '../lifecycle/lifecycle.js';
import { type Position, advance } from '../lifecycle/progress.js';
import type { Continued, EndOnRecord, RunMessage, RunSnapshot, UnrecordedPosition } from '../contract/run.js';
import { repeatWhileLate } from './repeat-while-late.js';
import type { Intake, Taken } from './intake.js';
import { MessageInbox } from './message-inbox.js';
import { RecordedIntake } from './recorded-intake.js';
import type { RunParts } from './run-parts.js';
import { UnrecordedIntake } from './unrecorded-intake.js';
import { UnrecordedTimeline } from './unrecorded-timeline.js';

/**
 * The loop of every run. It takes messages, deadlines and the outcomes of its own calls one after the other, and carries
 * out the effects of the transitions.
 *
 * Local activities are safe here for two reasons (docs/decisions/0005). The cause of a step that moves money is in the
 * history before the step is sent: the start, a signal or a fired timer; `persistCause` makes sure of it. And the attempt
 * has a row before it is sent.
 */
export class LifecycleRun<
  State extends LifecycleState,
  Event extends LifecycleEvent,
  Effect extends { readonly type: string },
  Sent extends RunMessage<Event>,
> {
  private readonly intake: Intake<Sent, Event>;
  private position: Position<State>;
  private readonly unrecorded: UnrecordedTimeline<State>;
  /** When the current workflow task began. */
  private taskStartedAt: Instant = Date.now();
  private callsMade = 0;
  /** The latest time in the history: that of the last transition. */
  private recordedAt: Instant = 0;
  /** The cause of the next effect is not in the history yet: a read, or a deadline that came before any message. */
  private causeNotInHistory = false;

  /** @param continued set if the run continues another one. */
  constructor(
    private readonly parts: RunParts<State, Event, Effect, Sent>,
    first: State,
    private readonly continued: Continued<State, Sent> | undefined,
  ) {
    this.position = continued
      ? { state: continued.state, version: continued.version }
      : { state: first, version: 0 };
    this.unrecorded = new UnrecordedTimeline(this.position);
    const inbox = new MessageInbox(continued?.seen, continued?.waiting);
    const intakeParts = {
      isHint: (event: Event) => parts.isHint(event),
      sharesReads: () => parts.sharesReads(),
      hasWaited: () => this.beginTask(),
      recordedAt: () => this.recordedAt,
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
        if (next) await this.takeEvent(next.event, await this.caughtUp(next));
        if (this.isLongEnough()) await this.continueAsNew();
      }
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
      ...this.position,
      waitingMessages: this.intake.inbox.size,
      ...(deadline && { nextDeadline: { at: deadline.at, event: deadline.event.type } }),
    };
  }

  get state(): State {
    return this.position.state;
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
    const taken = await this.intake.next(this.parts.lifecycle.nextDeadline(this.state));
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

  private async takeEvent(event: Event, at: Instant): Promise<void> {
    this.unrecorded.beginFrom(this.position);
    const effect = this.advance(event, at);
    if (effect) await this.carryOutEffects(effect);
    else if (!this.unrecorded.isEmpty) await this.record();
  }

  /** Carries out an effect, then the effects of its outcomes. */
  private async carryOutEffects(first: Effect | undefined): Promise<void> {
    let effect = first;
    while (effect) {
      if (effect.type === 'perform') await this.persistCause();
      else this.causeNotInHistory = true;
      setCurrentDetails(this.parts.describe(this.state, effect));
      this.callsMade += 1;
      const doing = effect;
      const result = await repeatWhileLate(
        () => this.parts.carryOut(doing, this.forActivity()),
        ({ isUnpersisted = false }) => this.beginTask(isUnpersisted && doing.type !== 'perform'),
      );
      if ('isUnfounded' in result) return this.undoRequest(result.wasRefused === true);
      effect = 'ended' in result ? this.adoptEnd(result) : this.advance(result.event, result.at);
      // The activity has written the timeline and its outcome, and has computed the same transition as this run.
      this.unrecorded.clear(this.position);
    }
    setCurrentDetails(this.parts.describe(this.state));
  }

  /**
   * An Update is in the history only when its workflow task has completed. A server that dies before forgets the Update.
   * Then no row may show it as carried out, because its sender would not send it again.
   */
  private async persistUpdate(): Promise<void> {
    this.causeNotInHistory = true;
    await this.persistCause();
  }

  /**
   * Completes the workflow task by a 1 ms timer, so that a read or deadline is in the history before money moves.
   *
   * If a worker dies, the reads of its workflow task are lost. Their repetition shows the effects of the lost task's
   * step, and the run would treat these as somebody else's. A lost deadline is taken again only after the messages that
   * arrived in between, such as a cancellation.
   */
  private async persistCause(): Promise<void> {
    if (!this.causeNotInHistory) return;
    await sleep(1);
    this.beginTask();
  }

  /** Everything before this task is in the history, except a read that is repeated in it. */
  private beginTask(causeNotInHistory = false): void {
    this.causeNotInHistory = causeNotInHistory;
    this.taskStartedAt = Date.now();
  }

  private async record(): Promise<void> {
    const outcome = await repeatWhileLate(
      () => this.parts.record(this.forActivity()),
      () => this.beginTask(),
    );
    if (outcome && 'isUnfounded' in outcome) return this.undoRequest(outcome.wasRefused === true);
    if (outcome && 'ended' in outcome) this.adoptEnd(outcome);
    this.unrecorded.clear(this.position);
    setCurrentDetails(this.parts.describe(this.state));
  }

  /**
   * The rows have an end that this run does not know: a worker wrote it and then lost its workflow task. Callers may
   * have seen the rows, so the run takes their end over.
   */
  private adoptEnd({ ended }: EndOnRecord<State>): undefined {
    this.position = ended;
  }

  /** Undoes a request without an accepted row: a signal is not a permission. The activity has written a timeline line. */
  private undoRequest(wasRefused: boolean): void {
    this.position = this.unrecorded.undoRequest(wasRefused ? 'refusedBefore' : 'notAccepted');
    this.unrecorded.clear(this.position);
    setCurrentDetails(this.parts.describe(this.state));
    if (!wasRefused)
      log.error('a run refused a request without an accepted command: check who can write to Temporal');
  }

  private forActivity(): UnrecordedPosition<State> {
    return this.unrecorded.forActivity(this.position, this.taskStartedAt);
  }

  private advance(event: Event, at: Instant): Effect | undefined {
    this.recordedAt = Math.max(this.recordedAt, at);
    const { position, entry, effect } = advance(this.parts.lifecycle, this.position, event, at);
    this.position = position;
    if (entry) this.unrecorded.add(entry);
    return effect;
  }

  private isLongEnough(): boolean {
    if (this.isOver()) return false;
    const { messagesPerRun, callsPerRun = Number.POSITIVE_INFINITY } = this.parts;
    if (this.intake.messagesTaken >= messagesPerRun || this.callsMade >= callsPerRun) return true;
    return this.intake.isLong();
  }

  private async continueAsNew(): Promise<void> {
    await condition(allHandlersFinished);
    await this.parts.continueAsNew({ ...this.position, ...this.intake.carriedOver() });
  }
}
