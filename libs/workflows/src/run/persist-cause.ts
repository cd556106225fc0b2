import { proxyActivities, sleep } from '@temporalio/workflow';
import type { CauseActivities } from '../contract/run.js';

const activities = proxyActivities<CauseActivities>({
  // If its worker dies, the next one gets it after this time.
  startToCloseTimeout: '10 seconds',
  retry: { initialInterval: '250 milliseconds', maximumInterval: '10 seconds' },
});

/**
 * Completes the workflow task: everything before is in the history then.
 *
 * If a worker dies, the reads of its workflow task are lost. Their repetition shows the effects of the lost task's step,
 * and the run would treat these as somebody else's. A lost deadline is taken again only after the messages that arrived in
 * between, such as a cancellation.
 *
 * A regular activity, which does nothing, takes milliseconds. Older runs wait for a timer of one millisecond, which
 * Temporal lets fire up to a second later (`timerProcessorMaxTimeShift`).
 */
export async function persistCause({ takesEvents }: { readonly takesEvents: boolean }): Promise<void> {
  await (takesEvents ? activities.persistCause() : sleep(1));
}
