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
  /** What came of all that was written with it, at the last of them: a replay must come to the same. */
  fingerprint?: string;
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

/**
 * A replay knows nothing of tasks that were lost: what they were given, and the task that went on in their place, comes in
 * one activation when that one began, and only then end local activities one after the other.
 */
export function asOneTask(
  activations: readonly Activation[],
  given: ReadonlySet<Job>,
  at: number,
): Activation[] {
  const isGiven = ({ jobs }: Activation) => jobs.every((job) => given.has(job));
  const begun = activations.filter(isGiven);
  const jobs = inOrder(begun.flatMap((each) => each.jobs));
  const suggestsContinueAsNew = begun.at(-1)?.suggestsContinueAsNew === true;
  const ended = activations.filter((each) => !isGiven(each));
  return [
    { at, jobs, suggestsContinueAsNew },
    ...ended.map((each) => ({ ...each, at: Math.max(each.at, at) })),
  ];
}

/**
 * What a replay is held against, as the SDK does it: commands in their order, and apart from them local activities, whose
 * results it finds wherever they stand. An update that was turned away leaves no event.
 */
export function fingerprintOf(commands: readonly Command[]): string {
  const isLocal = ({ type }: Command) => type === 'localActivity';
  const isTurnedAway = (command: Command) => command.type === 'answerUpdate' && command.refusal !== undefined;
  const seen = commands.filter((each) => !isLocal(each) && !isTurnedAway(each));
  return [...seen, ...commands.filter(isLocal)].map(inBrief).join();
}

function inBrief(command: Command): string {
  return `${command.type} ${'name' in command ? command.name : ''}${'seq' in command ? command.seq : ''}`;
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
