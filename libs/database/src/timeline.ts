import type { Database } from './database.js';

/** A payment's story in order, for its answer and for operators. */
export async function listTimeline(db: Database, paymentId: string) {
  return await db
    .selectFrom('timeline')
    .select(['version', 'event', 'kind', 'from_status', 'to_status', 'detail', 'command_id', 'at'])
    .where('payment_id', '=', paymentId)
    .orderBy('version')
    .execute();
}
