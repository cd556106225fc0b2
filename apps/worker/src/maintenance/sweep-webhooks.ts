import { sweepEvents } from '../../../../libs/webhook-inbox/src/sweep-events.js';
import type { MaintenanceContext } from '../context.js';

const atMost = 500;
const abreast = 64;

/** Goes on until nothing is due, so that a backlog drains within one sweep. */
export async function sweepWebhooks({ db, dispatch }: MaintenanceContext): Promise<void> {
  for (;;) {
    const { failed, hasMore } = await sweepEvents(db, dispatch, { atMost, abreast });
    if (failed > 0) throw new Error(`${failed} webhook events could not be dispatched yet`);
    if (!hasMore) return;
  }
}
