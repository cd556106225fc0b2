import type { Instant } from '../lifecycle/lifecycle.js';
import type { MessageInbox } from './message-inbox.js';

/** What a run takes next. */
export interface Taken<Event> {
  readonly event: Event;
  readonly isDeadline: boolean;
  /** When it is taken; of a deadline not before it was due, for a worker's clock may be behind the server's. */
  takenAt(): Instant;
}

export interface Deadline<Event> {
  readonly at: Instant;
  readonly event: Event;
}

/** How a run comes to know what it takes next: a message, or the deadline that has come. */
export interface Intake<Sent extends { readonly id: string; readonly event: Event }, Event> {
  readonly inbox: MessageInbox<Sent>;
  receive(message: Sent): void;
  /** Waits for a message, but no longer than until the deadline; undefined when there is neither yet. */
  next(deadline: Deadline<Event> | undefined): Promise<Taken<Event> | undefined>;
  now(): Promise<Instant>;
  /** Messages that were taken, or answered along with others. */
  readonly messagesTaken: number;
  /** The server suggests that the run goes on as another one. */
  isLong(): boolean;
  /** Of the inbox, what the next run is to know. */
  carriedOver(): ReturnType<MessageInbox<Sent>['carriedOver']>;
}

/** What an intake needs of its run. */
export interface IntakeParts<Event> {
  /** True for a message that only asks for a read of the provider. */
  isHint(event: Event): boolean;
  /** Whether hints that wait share the read to come; asked where views are not recorded, for then they always do. */
  sharesReads(): boolean;
  /** Told when the run has waited: what came before is in the history. */
  hasWaited(): void;
  /** The latest time that the history tells: of what was decided last. */
  recordedAt(): Instant;
}
