import type { Instant } from '../lifecycle/lifecycle.js';
import type { Position, TimelineEntry } from '../lifecycle/progress.js';
import { type Subject, kindOf } from './subject.js';

/** A message to a run. The id (event id, command id, or the payer's return) makes a repeated message harmless. */
export interface RunMessage<Event extends { readonly type: string } = { readonly type: string }> {
  readonly id: string;
  /** Its type is the signal's name, so that the history reads like the timeline. */
  readonly event: Event;
}

/** The last lines of the timeline that the run has written, by which those of a lost task are recognized. */
export interface WrittenLines {
  /** Lines after this version that are neither in `ownLines` nor newly written are of a lost task. */
  readonly knownVersion: number;
  /** All lines of the run since. A lost task may have written others in their place. */
  readonly ownLines: readonly TimelineEntry[];
}

/** The state of a subject, and the timeline since its rows were last written. */
export interface UnrecordedPosition<State> extends Position<State>, Partial<WrittenLines> {
  /** Not yet in the rows. */
  readonly timeline: readonly TimelineEntry[];
  /**
   * The run's status when it last knew its rows; absent: its current status. An end that came since is unknown to the
   * run.
   */
  readonly knownStatus?: string;
  /**
   * When the current workflow task began, by Temporal's clock. A worker whose task has timed out continues without
   * knowing that another one has taken over. This instant distinguishes its writes from those of the newer task.
   */
  readonly taskStartedAt?: Instant;
  /** The state before the request in the timeline; absent without a request. */
  readonly before?: Position<State>;
}

/** The input of each activity of a run. */
export interface ActivityInput<Identity, State> extends UnrecordedPosition<State> {
  readonly identity: Identity;
}

/** The result of an activity. The run takes the event exactly like the activity did when it wrote the rows. */
export interface ActivityOutcome<Event> {
  readonly event: Event;
  readonly at: Instant;
  /** Nothing was done, because the request has no accepted row: the run does not take the event. */
  readonly isUnfounded?: true;
  /** With `isUnfounded`: the row exists, but a worker that lost its task has refused it and its caller knows that. */
  readonly wasRefused?: true;
}

/**
 * The result of an activity if the rows have an end that the run does not know. A worker that lost its workflow task
 * wrote the end, and callers may have seen it. So the run takes it over.
 */
export interface EndOnRecord<State> {
  readonly ended: Position<State>;
}

/**
 * The result of an activity if a newer task of the run has written since. This happens when a task is lost within a
 * step, another worker gets it, and it then returns to the first worker, which still executes the step. Also of a step
 * that did not begin, because its application holds as many of the worker's places as it may, and of an activity that has
 * failed again and again.
 */
export interface LateTask {
  readonly isLate: true;
  /** A repeated read is in no history either. Absent in results of older versions. */
  readonly isUnpersisted?: true;
  /** Set where the activity was not late: the first wait before it is repeated. */
  readonly comesAgainInMs?: number;
}

/** All results of an activity of a run. */
export type StepResult<State, Event> = ActivityOutcome<Event> | EndOnRecord<State> | LateTask;

/** The result of writing a transition: nothing, or the reason why it was not written. */
export type RecordOutcome<State> =
  EndOnRecord<State> | LateTask | Pick<ActivityOutcome<never>, 'isUnfounded' | 'wasRefused'> | undefined;

/** What a run carries over when it continues as new. */
export interface Continued<State, Message> extends Position<State>, Partial<WrittenLines> {
  readonly seen: readonly string[];
  readonly waiting: readonly Message[];
}

/** The common input of all runs. */
export interface TimedInput {
  /**
   * The run uses a view that is recorded in its history (`recordView`). It is newer than all patches and needs none.
   * Absent in older runs: they use the time of the workflow task, which can be later in a replay.
   */
  readonly recordsTime?: boolean;
  /**
   * The run records its view together with the step to which the event leads (`takeEvent`). It needs no patch either.
   * Absent in older runs: they record the view alone (`recordView`), and wait for a timer where they persist a cause.
   */
  readonly takesEvents?: boolean;
}

/** What every new run does. A run that began otherwise goes on so until it continues as new. */
export const asNewRunsDo = { recordsTime: true, takesEvents: true } as const satisfies TimedInput;

/** The facts by which a run decides what to take next. */
export interface View {
  /** The number of received messages, each id once. */
  readonly messages: number;
  /** It waits only for its deadline, which has come. */
  readonly isDue?: boolean;
  /** The server suggests continue-as-new because the history is long. */
  readonly isLong?: boolean;
}

export interface RecordedView extends View {
  /** When the event is taken. */
  readonly at: Instant;
}

/** An activity that is to be carried out, and its arguments. */
export interface ActivityCall {
  readonly name: string;
  readonly args: readonly unknown[];
}

/** The result of a step that was carried out with the record of a view; null for none. */
export interface MadeStep {
  readonly result: unknown;
}

export interface ViewActivities {
  /** Adds the worker's time. */
  recordView(view: View): Promise<RecordedView>;
  /**
   * Records a view, and carries out the step to which the event leads, if the run names one. One activity for all steps:
   * a replay may expect another event than the recorded view shows, but never another activity.
   */
  takeEvent(view: RecordedView, step?: ActivityCall): Promise<RecordedView & Partial<MadeStep>>;
}

export interface CauseActivities {
  /** Does nothing: that it is requested puts everything before it into the history. */
  persistCause(): Promise<void>;
}

/** The answer of a run's query. */
export interface RunSnapshot<State> extends Position<State> {
  readonly waitingMessages: number;
  readonly nextDeadline?: { readonly at: Instant; readonly event: string };
}

/** The arguments to start a run. */
export interface RunStart {
  readonly subject: Subject;
  /** The workflow's type. */
  readonly type: string;
  readonly input: TimedInput;
  /** For Temporal's UI: no personal data. */
  readonly summary: string;
  readonly orderId?: string;
  readonly intent: string;
  /** The order that the run carries out: kept with the run, in case the order's row is lost. */
  readonly orderedBy?: OrderedBy;
}

/** The request that ordered a subject. */
export interface OrderedBy {
  readonly kind: 'create' | 'refund';
  readonly commandId: string;
  readonly idempotencyKey: string;
  readonly bodyHash: string;
  readonly requestedBy: string;
  /** Of a payout. */
  readonly reference?: string;
}

/** The workflow's id. Ids are not encrypted, so they must not contain personal data. */
export function workflowIdOf(subject: Subject): string {
  return `${kindOf(subject)}/${subject.environment}/${subject.application}/${subject.id}`;
}

/** The input of a run whose subject has already ended in the rows. */
export interface AfterEndInput<State, Message> extends TimedInput {
  /**
   * Started by an event about an ended subject: it reads once more and continues from the current rows, which another
   * such run may have changed since.
   */
  readonly hasEnded?: true;
  /** Set when the run continues from another one, or from the rows. */
  readonly continued?: Continued<State, Message>;
}
