import { condition, workflowInfo } from '@temporalio/workflow';
import type { MadeStep, RecordedView, RunMessage, View, ViewActivities } from '../contract/run.js';
import type { Instant, LifecycleEvent } from '../lifecycle/lifecycle.js';
import { isAnsweredWith, withOneHint } from './hints.js';
import type { Deadline, Intake, IntakeParts, Taken } from './intake.js';
import { localActivities } from './local-activities.js';
import type { MessageInbox } from './message-inbox.js';

const { recordView } = localActivities<ViewActivities>();

/**
 * Selects the next event from a recorded view: a local activity has put the number of messages and the time into the
 * history, together with the result of the event's step (in older runs without it). A replay may see more messages or a
 * later time at the same point, because a task that was extended or timed out is one with the next task in a replay. The
 * recorded view does not change (docs/decisions/0025).
 */
export class RecordedIntake<Sent extends RunMessage<Event>, Event extends LifecycleEvent> implements Intake<
  Sent,
  Event
> {
  messagesTaken = 0;
  private isLongRecorded = false;

  constructor(
    readonly inbox: MessageInbox<Sent>,
    private readonly parts: IntakeParts<Event>,
  ) {}

  receive(message: Sent): void {
    this.inbox.receive(message);
  }

  async next(deadline: Deadline<Event> | undefined): Promise<Taken<Event> | undefined> {
    const isDue = this.inbox.size === 0 && (await this.waitsUntil(deadline));
    const view = await this.view(isDue, deadline);
    const message = this.inbox.next(view.messages);
    if (message) this.messagesTaken += 1 + this.leaveOutAnswered(message, view);
    return taken(message, view, deadline);
  }

  async now(): Promise<Instant> {
    const { at } = await recordView(this.seen(false));
    return at;
  }

  isLong(): boolean {
    return this.isLongRecorded;
  }

  /** Of all waiting hints it carries one over. */
  carriedOver(): ReturnType<MessageInbox<Sent>['carriedOver']> {
    const { seen, waiting } = this.inbox.carriedOver();
    return { seen, waiting: withOneHint(waiting, (message) => this.parts.isHint(message.event)) };
  }

  /** The read for one hint also answers the hints that were received before it: a thousand hints cost few reads. */
  private leaveOutAnswered({ event }: Sent, { messages }: RecordedView): number {
    const isHint = (each: Event): boolean => this.parts.isHint(each);
    if (!isHint(event)) return 0;
    return this.inbox.leaveOut(
      (waiting) => isHint(waiting.event) && isAnsweredWith(event, waiting.event),
      messages,
    );
  }

  private async view(
    isDue: boolean,
    deadline: Deadline<Event> | undefined,
  ): Promise<RecordedView & Partial<MadeStep>> {
    const recorded = this.parts.takesEvents
      ? await this.viewWithStep(isDue, deadline)
      : await recordView(this.seen(isDue));
    this.isLongRecorded = recorded.isLong === true;
    return recorded;
  }

  /** The step is that of the event which the run now expects; its result counts for the event that the view shows. */
  private async viewWithStep(isDue: boolean, deadline: Deadline<Event> | undefined) {
    // The clock of the server, and before it those of the workers that made the last step.
    const at = Math.max(Date.now(), this.parts.recordedAt());
    const view = { ...this.seen(isDue), at };
    const expected = taken(this.inbox.first(), view, deadline);
    const { summary, ...step } = (expected && this.parts.stepOf(expected)) ?? {};
    // The timer that has fired says the same, and each of both is 140 bytes of the history.
    const { takeEvent } = localActivities<ViewActivities>(isDue ? undefined : summary);
    return await ('name' in step ? takeEvent(view, step) : takeEvent(view));
  }

  /** What is usual is left out: the history keeps all of it. */
  private seen(isDue: boolean): View {
    const isLong = workflowInfo().continueAsNewSuggested;
    return { messages: this.inbox.received, ...(isDue && { isDue }), ...(isLong && { isLong }) };
  }

  /**
   * Compares the deadline with the time in the history, because a replay must start the same timers.
   *
   * @returns true if the deadline has come.
   */
  private async waitsUntil(deadline: Deadline<Event> | undefined): Promise<boolean> {
    if (deadline && deadline.at <= this.parts.recordedAt()) return true;
    const hasMessage = () => this.inbox.size > 0;
    // One timer per wait. The message that ends the wait cancels it.
    const isInTime = deadline
      ? await condition(hasMessage, Math.max(deadline.at - Date.now(), 1), shownOf(deadline))
      : await condition(hasMessage).then(() => true);
    this.parts.hasWaited();
    return !isInTime;
  }
}

function shownOf({ summary }: Deadline<unknown>) {
  return summary === undefined ? {} : { summary };
}

/** The message that comes next, or else the deadline if the view shows that it has come. */
function taken<Event>(
  message: { readonly event: Event } | undefined,
  { at, isDue, ...more }: RecordedView & Partial<MadeStep>,
  deadline: Deadline<Event> | undefined,
): Taken<Event> | undefined {
  const made = 'result' in more && { made: { result: more.result } };
  if (message) return { event: message.event, isDeadline: false, takenAt: () => at, ...made };
  if (!deadline || isDue !== true) return undefined;
  const dueAt = Math.max(at, deadline.at);
  return { event: deadline.event, isDeadline: true, takenAt: () => dueAt, ...made };
}
