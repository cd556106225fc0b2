import { condition, workflowInfo } from '@temporalio/workflow';
import type { RecordedView, RunMessage, ViewActivities } from '../contract/run.js';
import type { Instant, LifecycleEvent } from '../lifecycle/lifecycle.js';
import { isAnsweredWith, withOneHint } from './hints.js';
import type { Deadline, Intake, IntakeParts, Taken } from './intake.js';
import { localActivities } from './local-activities.js';
import type { MessageInbox } from './message-inbox.js';

const { recordView } = localActivities<ViewActivities>();

/**
 * Selects the next event from a recorded view: a local activity has put the number of messages and the time into the
 * history. A replay may see more messages or a later time at the same point, because it joins a task that was extended or
 * timed out with the next one. The recorded view does not change (docs/decisions/0025).
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
    const isDue = this.inbox.size === 0 && (await this.waitsUntil(deadline?.at));
    const view = await this.view(isDue);
    const message = this.inbox.next(view.messages);
    if (message) {
      this.messagesTaken += 1 + this.leaveOutAnswered(message, view);
      return { event: message.event, isDeadline: false, takenAt: () => view.at };
    }
    if (!deadline || !view.isDue) return undefined;
    const at = Math.max(view.at, deadline.at);
    return { event: deadline.event, isDeadline: true, takenAt: () => at };
  }

  async now(): Promise<Instant> {
    const { at } = await this.view(false);
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

  private async view(isDue: boolean): Promise<RecordedView> {
    const isLong = workflowInfo().continueAsNewSuggested;
    const view = await recordView({ messages: this.inbox.received, isDue, isLong });
    this.isLongRecorded = view.isLong;
    return view;
  }

  /**
   * Compares the deadline with the time in the history, because a replay must start the same timers.
   *
   * @returns true if the deadline has come.
   */
  private async waitsUntil(deadlineAt: Instant | undefined): Promise<boolean> {
    if (deadlineAt !== undefined && deadlineAt <= this.parts.recordedAt()) return true;
    const hasMessage = () => this.inbox.size > 0;
    // One timer per wait. The message that ends the wait cancels it.
    const isInTime =
      deadlineAt === undefined
        ? await condition(hasMessage).then(() => true)
        : await condition(hasMessage, Math.max(deadlineAt - Date.now(), 1));
    this.parts.hasWaited();
    return !isInTime;
  }
}
