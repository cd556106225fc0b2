import type { Transition } from '#database/transitions';
import type { LifecycleState } from '#workflows/lifecycle';
import type { SubjectRow } from './row-types.js';

export function isOfNewerTask<State extends LifecycleState>(
  known: SubjectRow,
  { taskStartedAt }: Transition<State>,
): boolean {
  return taskStartedAt !== undefined && (known.taskStartedAt ?? 0) < taskStartedAt;
}

export function isOfSameTask<State extends LifecycleState>(
  known: SubjectRow,
  { taskStartedAt }: Transition<State>,
): boolean {
  return taskStartedAt !== undefined && known.taskStartedAt === taskStartedAt;
}

/** The version of its run. */
export function lastOf({ taskVersion, version }: SubjectRow): number {
  return taskVersion ?? version;
}
