import type { LateTask } from '../contract/run.js';

/** If the server's clock was set back, each new task is older than the rows for that long. */
const longestWhenLateMs = 60_000;

/** Each repeat adds events to the history, which has a limit: a flood, or a missing application, may last for days. */
const longestMs = 600_000;

/** How long a run waits before a repeat, in milliseconds: each time longer, up to a bound. */
export function waitBeforeRepeat({ comesAgainInMs }: LateTask, repeats: number): number {
  return comesAgainInMs === undefined
    ? Math.min(longestWhenLateMs, 10 ** repeats)
    : Math.round(Math.min(longestMs, comesAgainInMs * 1.2 ** repeats));
}
