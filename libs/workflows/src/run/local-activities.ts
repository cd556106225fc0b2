import { type LocalActivityInterfaceFor, proxyLocalActivities } from '@temporalio/workflow';
import type { ActivityCall } from '../contract/run.js';

/**
 * The activities of a run. They return every answer of the provider, and its absence, as an outcome. They fail only for
 * causes of our own: the database is away, a row or an application is missing, or the code is wrong. Then they are
 * repeated until the cause is removed, without a limit: a few times in the workflow task, then after a timer of the run
 * (`repeatWhileLate`), so that a run that waits holds no place of the worker.
 *
 * @param summary what Temporal's UI shows of a call; it is in the history, and no replay compares it.
 */
export function localActivities<Activities>(summary?: string): LocalActivityInterfaceFor<Activities> {
  return proxyLocalActivities<Activities>({
    // Longer than one call or search at the provider with its rows. An activity that takes longer is begun again while
    // the first one may still run. The attempt's row prevents a second POST (docs/decisions/0005).
    startToCloseTimeout: '45 seconds',
    // The number of attempts is not limited. Each wait is twice as long as the one before, up to the maximum.
    retry: { initialInterval: '250 milliseconds', maximumInterval: '10 seconds' },
    ...(summary !== undefined && { summary }),
  });
}

/** A call that is not made yet: a run makes it, or hands it to the activity that records its view. */
export interface CallOf<Result> extends ActivityCall {
  /** What Temporal's UI shows of it. */
  readonly summary?: string;
  /** For the compiler only. */
  readonly resolvesTo?: Result;
}

type CallsOf<Activities> = {
  readonly [Name in keyof Activities]: Activities[Name] extends (...args: infer Args) => Promise<infer Result>
    ? (...args: Args) => CallOf<Result>
    : never;
};

/** Names the activities of a run, and makes none of them. */
export function activityCalls<Activities>(): CallsOf<Activities> {
  return new Proxy({}, { get: (_, name: string) => callsOf(name) }) as CallsOf<Activities>;
}

/** The last arguments that are undefined are left out: in a list they would become null. */
function callsOf(name: string) {
  return (...args: unknown[]): ActivityCall => ({
    name,
    args: args.slice(0, args.findLastIndex(isGiven) + 1),
  });
}

function isGiven(argument: unknown): boolean {
  return argument !== undefined;
}

type AnyActivities = Record<string, (...args: unknown[]) => Promise<unknown>>;

export async function call<Result>({ name, args, summary }: CallOf<Result>): Promise<Result> {
  return (await localActivities<AnyActivities>(summary)[name]?.(...args)) as Result;
}
