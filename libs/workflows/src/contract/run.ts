import type { Instant } from '../lifecycle/lifecycle.js';
import type { Position, TimelineEntry } from '../lifecycle/progress.js';
import { type Subject, kindOf } from './subject.js';

/** A message to a run. The id makes a repeated delivery harmless: event id, command id, or the payer's return. */
export interface RunMessage<Event extends { readonly type: string } = { readonly type: string }> {
  readonly id: string;
  /** Its type names the signal, so that a history reads like its story. */
  readonly event: Event;
}

/** Where something stands, and what happened since its rows were last written. */
export interface Standing<State> extends Position<State> {
  /** Not yet in the rows. */
  readonly timeline: readonly TimelineEntry[];
}

/** What each activity of a run gets. */
export interface ActivityInput<Identity, State> extends Standing<State> {
  readonly identity: Identity;
}

/** What an activity found out; the run decides on it exactly as the activity did when it wrote the rows. */
export interface ActivityOutcome<Event> {
  readonly event: Event;
  readonly at: Instant;
}

/** What a run carries over when it continues as new. */
export interface Continued<State, Message> extends Position<State> {
  readonly seen: readonly string[];
  readonly waiting: readonly Message[];
}

/** What a run tells when it is asked. */
export interface RunSnapshot<State> extends Position<State> {
  readonly waitingMessages: number;
  readonly nextDeadline?: { readonly at: Instant; readonly event: string };
}

/** What it takes to start a run. */
export interface RunStart {
  readonly subject: Subject;
  /** The workflow's type. */
  readonly type: string;
  readonly input: unknown;
  /** For Temporal's UI: no personal data. */
  readonly summary: string;
  readonly orderId?: string;
  readonly intent: string;
}

/** The workflow's id. Ids are never encrypted: no personal datum in them. */
export function workflowIdOf(subject: Subject): string {
  return `${kindOf(subject)}/${subject.environment}/${subject.application}/${subject.id}`;
}

/** What a run is started with that goes on from rows which say that its subject has ended. */
export interface AfterEndInput<State, Message> {
  /**
   * Started by an event of what has ended: it reads once more, and goes on from the rows as it finds them, which another
   * such run may have written since it was asked for.
   */
  readonly hasEnded?: true;
  /** Set when the run goes on from another one, or from the rows. */
  readonly continued?: Continued<State, Message>;
}
