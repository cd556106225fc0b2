import { workflowInfo } from '@temporalio/workflow';
import type { TimedInput } from '../contract/run.js';
import type { Instant } from '../lifecycle/lifecycle.js';

/** When the run began, the same in every replay. For older runs: when a worker first executed it. */
export function begunAt({ recordsTime }: TimedInput): Instant {
  return recordsTime ? workflowInfo().runStartTime.getTime() : Date.now();
}
