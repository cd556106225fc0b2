/** A wall-clock instant: milliseconds since the epoch. */
export type Instant = number;

/** The wait policy: how long to wait between lookups of an unknown outcome, repeats of a failed call, and polls. */
export interface WaitPolicy {
  /**
   * The outcome horizon: longer than the provider may execute late plus its reads may lag. Before it, absence proves
   * nothing.
   */
  readonly outcomeHorizonMs: number;
  /** The wait before the first lookup, repeat or poll; each next one waits twice as long. */
  readonly firstLookMs: number;
  readonly firstRetryMs: number;
  readonly firstPollMs: number;
  readonly longestPollMs: number;
  /** POSTs of one step, each proved undone before the next. */
  readonly maxAttempts: number;
  /** How long an outcome may stay unknown before a review begins. */
  readonly reviewAfterMs: number;
}

/** Why a request is refused: a code for programs and a sentence for people. */
export interface Refusal<Code extends string = string> {
  readonly code: Code;
  readonly reason: string;
}

/** The result of an event: it changed the state, had no news, was not allowed, or contradicts the records. */
export type TransitionResult<State, Effect, Code extends string = string> =
  | { readonly kind: 'moved'; readonly state: State; readonly effect?: Effect }
  | { readonly kind: 'stale'; readonly state: State }
  | { readonly kind: 'refused'; readonly state: State; readonly refusal: Refusal<Code> }
  | { readonly kind: 'conflict'; readonly state: State; readonly reason: string };

/** Nothing changes. */
export function refuse<State, Code extends string>(
  state: State,
  code: Code,
  reason: string,
): TransitionResult<State, never, Code> {
  return { kind: 'refused', state, refusal: { code, reason } };
}

/** The refusal of an event; undefined if it was not refused. */
export function refusalIn<Code extends string>(
  result: TransitionResult<unknown, unknown, Code>,
): Refusal<Code> | undefined {
  return result.kind === 'refused' ? result.refusal : undefined;
}

export interface Deadline<Event> {
  readonly at: Instant;
  readonly event: Event;
}

/** The earliest deadline; of equal ones the first in the list. */
export function earliest<Event>(deadlines: readonly Deadline<Event>[]): Deadline<Event> | undefined {
  return deadlines.reduce<Deadline<Event> | undefined>(
    (first, next) => (first && first.at <= next.at ? first : next),
    undefined,
  );
}

/** What every state has. */
export interface LifecycleState {
  readonly status: string;
  /** Why the subject is in its state, in words for an operator. */
  readonly reason?: string;
}

/** Names are past tense: they have happened. */
export interface LifecycleEvent {
  readonly type: string;
  /** The command that caused it. */
  readonly commandId?: string;
  /** It only requests a read, over the API. */
  readonly isCheck?: true;
  /** It asks for a read because a webhook had news: that is read once more when no read lags. */
  readonly isNews?: true;
}

/**
 * A lifecycle as a pure value, so that run, activities, rows and API compute the same. The code that waits, calls and
 * writes is shared by all lifecycles and is elsewhere.
 */
export interface Lifecycle<
  State extends LifecycleState,
  Event extends LifecycleEvent,
  Effect extends { readonly type: string },
> {
  /** @param now wall-clock milliseconds; in a run, the workflow's clock, so that a replay computes the same. */
  transition(state: State, event: Event, now: Instant): TransitionResult<State, Effect>;
  /** True for an end: a status that is never left. */
  isTerminal(status: State['status']): boolean;
  /** The next deadline; undefined if nothing will ever be due. */
  nextDeadline(state: State): Deadline<Event> | undefined;
  /** True for an ended state in which a read is still due: its run lives until then. Absent if that never happens. */
  owesAfterEnd?(state: State): boolean;
  /** Events such as "look" or "wait longer", which get no timeline line. */
  readonly quiet: ReadonlySet<Event['type']>;
  /**
   * True if callers see a difference although the status is the same; then the event gets a timeline line. Absent if
   * that never happens.
   */
  showsMore?(before: State, after: State): boolean;
  /** The detail of an event for the timeline, if the new state's reason does not say it. */
  detailOf?(event: Event): string | undefined;
}
