/** What a workflow task brings to a run, and what a replay brings again. */
export type Job =
  | { readonly type: 'started'; readonly input: unknown; readonly at: number }
  | { readonly type: 'signalled'; readonly name: string; readonly argument: unknown }
  | { readonly type: 'updated'; readonly id: string; readonly name: string; readonly argument: unknown }
  | { readonly type: 'timerFired'; readonly seq: number }
  | { readonly type: 'activityEnded'; readonly seq: number; readonly result: unknown };

/** Jobs that a run was given at once. A history is a list of those that workflow tasks have completed with. */
export interface Activation {
  /** The run's clock meanwhile, as a replay shows it. */
  at: number;
  readonly jobs: readonly Job[];
  readonly suggestsContinueAsNew: boolean;
  /** What came of it: a replay must come to the same. */
  readonly fingerprint?: string;
}

export type Command =
  | { readonly type: 'startTimer'; readonly seq: number; readonly ms: number }
  | { readonly type: 'cancelTimer'; readonly seq: number }
  | ActivityCommand
  | { readonly type: 'complete'; readonly result: unknown }
  | { readonly type: 'continueAsNew'; readonly input: unknown }
  | { readonly type: 'fail'; readonly error: string }
  | { readonly type: 'answerUpdate'; readonly id: string; readonly refusal?: UpdateRefusal };

export interface ActivityCommand {
  readonly type: 'localActivity' | 'activity';
  readonly seq: number;
  readonly name: string;
  readonly args: readonly unknown[];
  readonly options: ActivityOptions;
}

export interface ActivityOptions {
  readonly startToCloseMs: number;
  readonly firstRetryMs: number;
  readonly longestRetryMs: number;
}

export interface UpdateRefusal {
  readonly code: string;
  readonly reason: string;
}

/**
 * As server and SDK sort them: messages before all that the run itself has asked for, and of these the updates last, for
 * they are no part of the history before a task has completed with them.
 */
export function inOrder(jobs: readonly Job[]): Job[] {
  const rank = ({ type }: Job) => (type === 'signalled' ? 0 : type === 'updated' ? 1 : 2);
  return jobs.toSorted((one, other) => rank(one) - rank(other));
}

/** Nothing has ended in these tasks, and they have asked for nothing but local activities. */
export function leavesNoEvent(activations: readonly Activation[], commands: readonly Command[]): boolean {
  return (
    commands.every(({ type }) => type === 'localActivity') &&
    !activations.some(({ jobs }) => jobs.some(({ type }) => type === 'activityEnded'))
  );
}

/** As JSON brings it to the other side, without the text in between: half of the simulator's time went into that. */
export function copyOf<T>(value: T): T {
  return copied(value) as T;
}

function copied(value: unknown): unknown {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    return value.map((each: unknown) => (isLeftOut(each) ? null : copied(each)));
  }
  if ('toJSON' in value) return JSON.parse(JSON.stringify(value)) as unknown;
  const copy: Record<string, unknown> = {};
  for (const key in value) {
    const each = (value as Readonly<Record<string, unknown>>)[key];
    if (!isLeftOut(each)) copy[key] = copied(each);
  }
  return copy;
}

function isLeftOut(value: unknown): boolean {
  return value === undefined || typeof value === 'function' || typeof value === 'symbol';
}

/** What is undefined among them stays so, as the SDK has it. */
export function copiesOf(args: readonly unknown[]): unknown[] {
  return args.map((argument) => copyOf(argument));
}
