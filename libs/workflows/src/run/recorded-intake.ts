import { condition, workflowInfo } from '@temporalio/workflow';
import type { RecordedView, RunMessage, ViewActivities } from '../contract/run.js';
import type { Instant, LifecycleEvent } from '../lifecycle/lifecycle.js';
import type { Deadline, Intake, IntakeParts, Taken } from './intake.js';
import { localActivities } from './local-activities.js';
import type { MessageInbox } from './message-inbox.js';

const { recordView } = localActivities<ViewActivities>();

/**
 * Decides by what the run sees, which a local activity has put into the history. A replay can see more at the same point:
 * a task that was kept alive, or that timed out within a step and was handed out again, is one with the next, and messages
 * that came while the step ran are there before it. It can also see a later time (docs/decisions/0025).
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
    const view = await this.look(isDue);
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
    const { at } = await this.look(false);
    return at;
  }

  isLong(): boolean {
    return this.isLongRecorded;
  }

  /** Of all that only ask for a read, one. */
  carriedOver(): ReturnType<MessageInbox<Sent>['carriedOver']> {
    const { seen, waiting } = this.inbox.carriedOver();
    const first = waiting.find(({ event }) => this.parts.isHint(event));
    return { seen, waiting: waiting.filter((each) => each === first || !this.parts.isHint(each.event)) };
  }

  /** The read that a hint asks for shows what the others tell of that were there before it: a thousand cost few reads. */
  private leaveOutAnswered({ event }: Sent, { messages }: RecordedView): number {
    const isHint = (each: Event): boolean => this.parts.isHint(each);
    return isHint(event) ? this.inbox.leaveOut((waiting) => isHint(waiting.event), messages) : 0;
  }

  private async look(isDue: boolean): Promise<RecordedView> {
    const isLong = workflowInfo().continueAsNewSuggested;
    const view = await recordView({ messages: this.inbox.received, isDue, isLong });
    this.isLongRecorded = view.isLong;
    return view;
  }

  /**
   * Whether the deadline has come is told by the time that the history holds: a replay must ask for the same timers.
   *
   * @returns true when it has.
   */
  private async waitsUntil(deadlineAt: Instant | undefined): Promise<boolean> {
    if (deadlineAt !== undefined && deadlineAt <= this.parts.recordedAt()) return true;
    const hasMessage = () => this.inbox.size > 0;
    // One timer per wait, cancelled by the message that ends it.
    const isInTime =
      deadlineAt === undefined
        ? await condition(hasMessage).then(() => true)
        : await condition(hasMessage, Math.max(deadlineAt - Date.now(), 1));
    this.parts.hasWaited();
    return !isInTime;
  }
}
