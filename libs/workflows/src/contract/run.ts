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
  /** Where the run stood when it last knew its rows; absent: where it stands now. An end that came since is news to it. */
  readonly knownStatus?: string;
  /**
   * When the workflow task began that the run acts in, by Temporal's clock. A worker whose task has timed out goes on
   * without knowing that another one has taken over: what it writes is told by this from what the newer task wrote.
   */
  readonly taskStartedAt?: Instant;
  /** Where it stood before a request that the timeline tells of; without one, absent. */
  readonly before?: Position<State>;
}

/** What each activity of a run gets. */
export interface ActivityInput<Identity, State> extends Standing<State> {
  readonly identity: Identity;
}

/** What an activity found out; the run decides on it exactly as the activity did when it wrote the rows. */
export interface ActivityOutcome<Event> {
  readonly event: Event;
  readonly at: Instant;
  /** Nothing was done, for the request that asked for it has no accepted row: the event is not taken. */
  readonly isUnfounded?: true;
  /** With it: a row there is, and a worker whose task got lost has refused it; its caller has been told. */
  readonly wasRefused?: true;
}

/**
 * What an activity returns instead of an outcome where the rows have come to an end that the run does not know: it was
 * written by a worker whose workflow task got lost, and callers may have been told of it. So the run takes it over.
 */
export interface EndOnRecord<State> {
  readonly ended: Position<State>;
}

/**
 * What an activity returns instead of an outcome where a newer task of the run has written since: a task that was lost
 * within a step can come back to the worker that still carries the step out, after another worker had it meanwhile.
 */
export interface LateTask {
  readonly isLate: true;
}

/** What comes of an activity of a run. */
export type StepResult<State, Event> = ActivityOutcome<Event> | EndOnRecord<State> | LateTask;

/** What comes of writing a transition: nothing more to say, or what stands against it. */
export type RecordOutcome<State> =
  EndOnRecord<State> | LateTask | Pick<ActivityOutcome<never>, 'isUnfounded' | 'wasRefused'> | undefined;

/** What a run carries over when it continues as new. */
export interface Continued<State, Message> extends Position<State> {
  readonly seen: readonly string[];
  readonly waiting: readonly Message[];
}

/** What the input of every run has. */
export interface TimedInput {
  /**
   * The run decides by a view that its history holds (`recordView`), and is newer than all patches: it asks for none. Absent
   * in those that were begun before: they go by the workflow task, which a replay may see as a later one than it was.
   */
  readonly recordsTime?: boolean;
}

/** What a run sees when it decides what to take next. */
export interface View {
  /** How many messages it has been handed, each id once. */
  readonly messages: number;
  /** It waits for nothing but its deadline, and that has come. */
  readonly isDue: boolean;
  /** The server suggests that it goes on as another run: its history is long. */
  readonly isLong: boolean;
}

export interface RecordedView extends View {
  /** The worker's time. */
  readonly at: Instant;
}

export interface ViewActivities {
  recordView(view: View): Promise<RecordedView>;
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
  readonly input: TimedInput;
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
export interface AfterEndInput<State, Message> extends TimedInput {
  /**
   * Started by an event of what has ended: it reads once more, and goes on from the rows as it finds them, which another
   * such run may have written since it was asked for.
   */
  readonly hasEnded?: true;
  /** Set when the run goes on from another one, or from the rows. */
  readonly continued?: Continued<State, Message>;
}
