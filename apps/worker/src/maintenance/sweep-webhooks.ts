import { sweepEvents } from '#webhook-inbox';
import type { MaintenanceContext } from '../steps/activities/context.js';
import { askForResends } from './ask-for-resends.js';
import { readContestedEvents } from '../reconciliation/read-contested-events.js';

const atMost = 500;
const concurrency = 64;

/** Continues until nothing is due, so that one sweep drains a backlog. */
export async function sweepWebhooks(context: MaintenanceContext): Promise<void> {
  try {
    await dispatchDueEvents(context);
  } finally {
    // Runs even if an event cannot be dispatched.
    await readContestedEvents(context);
    await askForResends(context);
  }
}

async function dispatchDueEvents({ db, dispatch }: MaintenanceContext): Promise<void> {
  for (;;) {
    const { failed, hasMore } = await sweepEvents(db, dispatch, { atMost, concurrency });
    if (failed > 0)
      throw new Error(`${failed} webhook events could not be dispatched; the next sweep tries them again`);
    if (!hasMore) return;
  }
}
