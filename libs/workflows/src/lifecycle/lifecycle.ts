/** A wall-clock instant: milliseconds since the epoch. */
export type Instant = number;

/** How patiently an unknown outcome is looked up, a failed call repeated and a silent provider polled. */
export interface WaitPolicy {
  /** Longer than the provider may execute late plus its reads may lag: absence proves nothing before. */
  readonly outcomeHorizonMs: number;
  /** The first look, repeat or poll; each next one waits twice as long. */
  readonly firstLookMs: number;
  readonly firstRetryMs: number;
  readonly firstPollMs: number;
  readonly longestPollMs: number;
  /** POSTs of one step, each proved undone before the next. */
  readonly maxAttempts: number;
  /** How long a doubt may last before a person is asked. */
  readonly reviewAfterMs: number;
}

/** Why a request is turned away, in a word for programs and a sentence for people. */
export interface Refusal<Code extends string = string> {
  readonly code: Code;
  readonly reason: string;
}

/** How an event was taken: it changed the state, told nothing new, was not allowed, or contradicts the records. */
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

/** Why an event is not taken; undefined for one that is. */
export function refusalIn<Code extends string>(
  result: TransitionResult<unknown, unknown, Code>,
): Refusal<Code> | undefined {
  return result.kind === 'refused' ? result.refusal : undefined;
}

export interface Deadline<Event> {
  readonly at: Instant;
  readonly event: Event;
}

/** The earliest; of equal ones the first listed. */
export function earliest<Event>(deadlines: readonly Deadline<Event>[]): Deadline<Event> | undefined {
  return deadlines.reduce<Deadline<Event> | undefined>(
    (first, next) => (first && first.at <= next.at ? first : next),
    undefined,
  );
}

/** What every state has. */
export interface LifecycleState {
  readonly status: string;
  /** Why it stands where it stands, in words for an operator. */
  readonly reason?: string;
}

/** Names are past tense: they have happened. */
export interface LifecycleEvent {
  readonly type: string;
  /** The command that asked for it. */
  readonly commandId?: string;
  /** It only asks for a read, by API. */
  readonly isCheck?: true;
}

/**
 * A lifecycle as a value: pure, so that run, activities, rows and API compute the same. What is done with it (waiting,
 * calling, writing) is the same for all of them and stands elsewhere once.
 */
export interface Lifecycle<
  State extends LifecycleState,
  Event extends LifecycleEvent,
  Effect extends { readonly type: string },
> {
  /** @param now wall-clock milliseconds; the workflow's own clock where a run asks, so that a replay computes the same. */
  transition(state: State, event: Event, now: Instant): TransitionResult<State, Effect>;
  /** Never left again. */
  isTerminal(status: State['status']): boolean;
  /** When the clock itself moves it next; undefined when nothing is due, ever. */
  nextDeadline(state: State): Deadline<Event> | undefined;
  /** True of an end after which something is still due: its run lives until then. Absent where nothing ever is. */
  owesAfterEnd?(state: State): boolean;
  /** Events that say only "look" or "wait longer": worth no line in the story. */
  readonly quiet: ReadonlySet<Event['type']>;
  /** True where callers see the difference though the status is the same: that is worth a line. Absent: they never do. */
  showsMore?(before: State, after: State): boolean;
  /** What an event says of itself, where the reason of the state that it led to does not. */
  detailOf?(event: Event): string | undefined;
}
