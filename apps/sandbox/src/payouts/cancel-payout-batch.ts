import type { SandboxContext } from '../context/sandbox-context.js';
import { ApiError } from '../http/api-error.js';
import { describeBatchHeader } from './payout-representation.js';
import { recordItemEvents } from './payout-events.js';

/**
 * Cancels a batch before its money leaves, as a sender does manually: the public API has no call for it.
 * @throws ApiError INVALID_RESOURCE_ID; RESOURCE_CONFLICT when it is processed already.
 */
export async function cancelPayoutBatch(context: SandboxContext, batchId: string): Promise<object> {
  const header = await context.database.transaction().execute(async (transaction) => {
    const found = await transaction
      .selectFrom('payout_batches')
      .selectAll()
      .where('id', '=', batchId)
      .forUpdate()
      .executeTakeFirst();
    if (found === undefined) throw new ApiError('INVALID_RESOURCE_ID');
    if (found.status !== 'PENDING') throw new ApiError('RESOURCE_CONFLICT');
    const now = new Date();
    const batch = await transaction
      .updateTable('payout_batches')
      .set({ status: 'CANCELED', due_at: null, completed_at: now, updated_at: now })
      .where('id', '=', batchId)
      .returningAll()
      .executeTakeFirstOrThrow();
    const items = await transaction
      .updateTable('payout_items')
      .set({ status: 'RETURNED', is_cancelled: true, processed_at: now, updated_at: now })
      .where('batch_id', '=', batchId)
      .returningAll()
      .execute();
    const itemEvents = items.map((item) => ({ type: 'PAYMENT.PAYOUTS-ITEM.CANCELED', item }) as const);
    await recordItemEvents(transaction, itemEvents, batch.sender_batch_id, context.links, now);
    return describeBatchHeader(batch);
  });
  context.wakeTasks();
  return header;
}
