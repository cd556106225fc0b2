import { workflowInfo } from '@temporalio/workflow';
import type { TimedInput } from '../contract/run.js';
import type { Instant } from '../lifecycle/lifecycle.js';

/** When a run was begun, the same in every replay; in older ones, when a worker first had it. */
export function begunAt({ recordsTime }: TimedInput): Instant {
  return recordsTime ? workflowInfo().runStartTime.getTime() : Date.now();
}
