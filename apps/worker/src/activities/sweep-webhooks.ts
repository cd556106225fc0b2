import { sweepEvents } from '../../../../libs/webhook-inbox/src/sweep-events.js';
import type { MaintenanceContext } from './activity-context.js';

/** The immediate dispatch comes within milliseconds of the commit; what is older than this was left behind. */
const olderThanMs = 2_000;
const atMost = 500;
const abreast = 8;

/** Goes on until nothing is left, so that a backlog drains within one sweep. */
export async function sweepWebhooks({ db, dispatch }: MaintenanceContext): Promise<void> {
  for (;;) {
    const { dispatched, failed } = await sweepEvents(db, dispatch, { olderThanMs, atMost, abreast });
    if (failed > 0) throw new Error(`${failed} webhook events could not be dispatched yet`);
    if (dispatched < atMost) return;
  }
}
