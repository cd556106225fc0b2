import { sweepEvents } from '#webhook-inbox';
import type { MaintenanceContext } from '../context.js';
import { readContestedEvents } from '../reconciliation/read-contested-events.js';

const atMost = 500;
const concurrency = 64;

/** Goes on until nothing is due, so that a backlog drains within one sweep. */
export async function sweepWebhooks(context: MaintenanceContext): Promise<void> {
  try {
    await dispatchDueEvents(context);
  } finally {
    // An event that cannot be dispatched must not keep these waiting.
    await readContestedEvents(context);
  }
}

async function dispatchDueEvents({ db, dispatch }: MaintenanceContext): Promise<void> {
  for (;;) {
    const { failed, hasMore } = await sweepEvents(db, dispatch, { atMost, concurrency });
    if (failed > 0) throw new Error(`${failed} webhook events could not be dispatched yet`);
    if (!hasMore) return;
  }
}
