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
import type { Continued, EndOnRecord, RunMessage, RunSnapshot, Standing } from '../contract/run.js';
import { inTime } from './in-time.js';
import type { Intake, Taken } from './intake.js';
import { MessageInbox } from './message-inbox.js';
import { RecordedIntake } from './recorded-intake.js';
import type { RunParts } from './run-parts.js';
import { UnrecordedIntake } from './unrecorded-intake.js';
import { UnwrittenStory } from './unwritten-story.js';

/**
 * The life of one thing, durably: it takes messages, deadlines and the outcomes of its own calls one after the other,
 * and carries out what the lifecycle asks for. Every step that moves money is caused by something that the history
 * already holds (the start, a signal, a fired timer) and leaves its evidence in an attempt row before it is sent; that
 * is why its activities may be local (docs/decisions/0005).
 */
export class LifecycleRun<
  State extends LifecycleState,
  Event extends LifecycleEvent,
  Effect extends { readonly type: string },
  Sent extends RunMessage<Event>,
> {
  private readonly intake: Intake<Sent, Event>;
  private position: Position<State>;
  private readonly unwritten: UnwrittenStory<State>;
  /** When the workflow task began that the run has last waited for. */
  private taskStartedAt: Instant = Date.now();
  private callsMade = 0;
  /** The latest time that the history tells: of what was decided last. */
  private recordedAt: Instant = 0;
  /** What led here is not in the history yet: a read, or that a deadline came before any message. */
  private restsOnUnpersisted = false;

  /** @param continued set when the run goes on from another one. */
  constructor(
    private readonly parts: RunParts<State, Event, Effect, Sent>,
    first: State,
    private readonly continued: Continued<State, Sent> | undefined,
  ) {
    this.position = continued
      ? { state: continued.state, version: continued.version }
      : { state: first, version: 0 };
    this.unwritten = new UnwrittenStory(this.position);
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

  /** Returns once it has ended, and everything that was sent to it is answered. */
  async live(): Promise<void> {
    // A cancelled run would leave a hold that nobody minds, or money on its way; what ends it is a request.
    await CancellationScope.nonCancellable(async () => {
      if (!this.continued) await this.follow(this.parts.firstEffect);
      while (!this.hasEnded()) {
        const next = await this.nextEvent();
        if (next) await this.take(next.event, await this.caughtUp(next));
        if (this.isLongEnough()) await this.continueAsNew();
      }
      await condition(allHandlersFinished);
    });
  }

  receive(message: Sent): void {
    this.intake.receive(message);
  }

  /**
   * A repetition of what was taken before is let through: the inbox knows it.
   *
   * @throws {ApplicationFailure} with the refusal's code as its type, when the lifecycle would not take it now.
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

  /** A message that came in while the last step ran is answered before the run closes: it was accepted. */
  private hasEnded(): boolean {
    return this.isOver() && this.intake.inbox.size === 0;
  }

  private isOver(): boolean {
    const { lifecycle } = this.parts;
    return lifecycle.isTerminal(this.state.status) && lifecycle.owesAfterEnd?.(this.state) !== true;
  }

  private async nextEvent(): Promise<Taken<Event> | undefined> {
    const taken = await this.intake.next(this.parts.lifecycle.nextDeadline(this.state));
    if (taken?.event.type === 'reviewDecided') await this.persistUpdate();
    if (taken?.isDeadline) this.restsOnUnpersisted = true;
    return taken;
  }

  /**
   * A request that the rows let through is turned away only after a look: they can be ahead of this run.
   *
   * @returns when the event is taken.
   */
  private async caughtUp(taken: Taken<Event>): Promise<Instant> {
    const at = taken.takenAt();
    const look = this.parts.lookBefore(this.state, taken.event, at);
    if (!look) return at;
    await this.follow(look);
    return await this.intake.now();
  }

  private async take(event: Event, at: Instant): Promise<void> {
    this.unwritten.beginFrom(this.position);
    const effect = this.advance(event, at);
    if (effect) await this.follow(effect);
    else if (!this.unwritten.isEmpty) await this.record();
  }

  /** Carries out an effect and whatever its outcome asks for next. */
  private async follow(first: Effect | undefined): Promise<void> {
    let effect = first;
    while (effect) {
      if (effect.type === 'perform') await this.persistCause();
      else this.restsOnUnpersisted = true;
      setCurrentDetails(this.parts.describe(this.state, effect));
      this.callsMade += 1;
      const doing = effect;
      const result = await inTime(
        () => this.parts.carryOut(doing, this.standing()),
        () => this.beginTask(),
      );
      if ('isUnfounded' in result) return this.takeBack(result.wasRefused === true);
      effect = 'ended' in result ? this.takeOver(result) : this.advance(result.event, result.at);
      // The activity has written what led to its outcome, and has computed the same transition as this run does here.
      this.unwritten.clear(this.position);
    }
    setCurrentDetails(this.parts.describe(this.state));
  }

  /**
   * That an Update was taken is in the history only once its workflow task has completed, and a server that dies before
   * forgets it altogether. Then no row may say that it was carried out: whoever sent it would never send it again.
   */
  private async persistUpdate(): Promise<void> {
    this.restsOnUnpersisted = true;
    await this.persistCause();
  }

  /**
   * Before money moves, its cause must be in the history. A worker that dies takes the reads of its workflow task with
   * it; made again, they show what it did since, and this run would take its own doing for somebody else's. A deadline
   * that was taken would be taken again only after the messages that came meanwhile, a cancellation among them. Any
   * timer completes the task.
   */
  private async persistCause(): Promise<void> {
    if (!this.restsOnUnpersisted) return;
    await sleep(1);
    this.beginTask();
  }

  /** What came before it is in the history. */
  private beginTask(): void {
    this.restsOnUnpersisted = false;
    this.taskStartedAt = Date.now();
  }

  private async record(): Promise<void> {
    const outcome = await inTime(
      () => this.parts.record(this.standing()),
      () => this.beginTask(),
    );
    if (outcome && 'isUnfounded' in outcome) return this.takeBack(outcome.wasRefused === true);
    if (outcome && 'ended' in outcome) this.takeOver(outcome);
    this.unwritten.clear(this.position);
    setCurrentDetails(this.parts.describe(this.state));
  }

  /**
   * The rows have ended what this run was still carrying on: they were written by a worker that took the reason with it
   * when its workflow task got lost. Callers go by the rows, so what was told there stands, and the run ends like them.
   */
  private takeOver({ ended }: EndOnRecord<State>): undefined {
    this.position = ended;
  }

  /** The request that was taken has no accepted row: a signal is not a permission. Its activity has told of it. */
  private takeBack(wasRefused: boolean): void {
    this.position = this.unwritten.giveBack(wasRefused ? 'refusedBefore' : 'unfounded');
    this.unwritten.clear(this.position);
    setCurrentDetails(this.parts.describe(this.state));
    if (!wasRefused) log.error('a request that nobody has accepted was sent to a run, and refused');
  }

  private standing(): Standing<State> {
    return this.unwritten.standing(this.position, this.taskStartedAt);
  }

  private advance(event: Event, at: Instant): Effect | undefined {
    this.recordedAt = Math.max(this.recordedAt, at);
    const { position, entry, effect } = advance(this.parts.lifecycle, this.position, event, at);
    this.position = position;
    if (entry) this.unwritten.add(entry);
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
