import type { MadeStep } from '../contract/run.js';
import type { Instant } from '../lifecycle/lifecycle.js';
import type { CallOf } from './local-activities.js';
import type { MessageInbox } from './message-inbox.js';

/** The event that a run takes next. */
export interface Taken<Event> {
  readonly event: Event;
  readonly isDeadline: boolean;
  /** When it is taken. For a deadline not before it is due, because a worker's clock may be behind the server's. */
  takenAt(): Instant;
  /** Set if the activity `takeEvent` has carried out the event's step. */
  readonly made?: MadeStep;
}

export interface Deadline<Event> {
  readonly at: Instant;
  readonly event: Event;
  /** What Temporal's UI shows of its timer. */
  readonly summary?: string | undefined;
}

/** Selects the event that a run takes next: a message, or the deadline that has come. */
export interface Intake<Sent extends { readonly id: string; readonly event: Event }, Event> {
  readonly inbox: MessageInbox<Sent>;
  receive(message: Sent): void;
  /** Waits for a message until the deadline. Undefined if there is no message and the deadline has not come. */
  next(deadline: Deadline<Event> | undefined): Promise<Taken<Event> | undefined>;
  now(): Promise<Instant>;
  /** The number of messages that were taken, or answered by the read for another message. */
  readonly messagesTaken: number;
  /** The server suggests continue-as-new. */
  isLong(): boolean;
  /** The part of the inbox that the next run gets. */
  carriedOver(): ReturnType<MessageInbox<Sent>['carriedOver']>;
}

/** The parts of a run that its intake uses. */
export interface IntakeParts<Event> {
  /** True for a message that only asks for a read of the provider. */
  isHint(event: Event): boolean;
  /** Whether waiting hints share the next read. Used only if views are not recorded; otherwise they always share it. */
  sharesReads(): boolean;
  /** Called when the run has waited: everything before is in the history. */
  hasWaited(): void;
  /** The latest time in the history: that of the last transition. */
  recordedAt(): Instant;
  /** Whether a view is recorded together with a step: see TimedInput. */
  readonly takesEvents: boolean;
  /** The step to which an event leads; undefined if only the view may be recorded. Changes nothing. */
  stepOf(expected: Taken<Event>): CallOf<unknown> | undefined;
}
