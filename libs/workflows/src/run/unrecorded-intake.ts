import { condition, workflowInfo } from '@temporalio/workflow';
import type { RunMessage } from '../contract/run.js';
import type { Instant, LifecycleEvent } from '../lifecycle/lifecycle.js';
import type { Deadline, Intake, IntakeParts, Taken } from './intake.js';
import type { MessageInbox } from './message-inbox.js';

/** The intake of runs that began before views were recorded, until they continue as new: see TimedInput. */
export class UnrecordedIntake<Sent extends RunMessage<Event>, Event extends LifecycleEvent> implements Intake<
  Sent,
  Event
> {
  messagesTaken = 0;

  constructor(
    readonly inbox: MessageInbox<Sent>,
    private readonly parts: IntakeParts<Event>,
  ) {}

  receive(message: Sent): void {
    const isHint = (sent: Sent): boolean => this.parts.isHint(sent.event);
    if (isHint(message) && this.inbox.holds(isHint) && this.parts.sharesReads()) {
      if (this.inbox.remember(message.id)) this.messagesTaken += 1;
      return;
    }
    this.inbox.receive(message);
  }

  async next(deadline: Deadline<Event> | undefined): Promise<Taken<Event> | undefined> {
    const isDue = this.inbox.size === 0 && (await this.waitsUntil(deadline?.at));
    const message = this.inbox.next();
    if (message) {
      this.messagesTaken += 1;
      return { event: message.event, isDeadline: false, takenAt: () => Date.now() };
    }
    if (!deadline || !isDue) return undefined;
    return {
      event: deadline.event,
      isDeadline: true,
      takenAt: () => Math.max(Date.now(), deadline.at),
    };
  }

  async now(): Promise<Instant> {
    return Date.now();
  }

  isLong(): boolean {
    return workflowInfo().continueAsNewSuggested;
  }

  carriedOver(): ReturnType<MessageInbox<Sent>['carriedOver']> {
    return this.inbox.carriedOver();
  }

  private async waitsUntil(deadlineAt: Instant | undefined): Promise<boolean> {
    const hasMessage = () => this.inbox.size > 0;
    if (deadlineAt !== undefined) {
      if (deadlineAt <= Date.now()) return true;
      await condition(hasMessage, Math.max(deadlineAt - Date.now(), 1));
    } else {
      await condition(hasMessage);
    }
    this.parts.hasWaited();
    return deadlineAt !== undefined && deadlineAt <= Date.now();
  }
}
