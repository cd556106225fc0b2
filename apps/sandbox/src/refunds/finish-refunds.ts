import { bookRefund } from '../books/refund-movements.js';
import { carryOut } from '../clock/carry-out.js';
import type { Found } from '../clock/recurring-task.js';
import type { SandboxContext } from '../context/sandbox-context.js';
import type { RefundRow } from '../database/tables.js';
import { lockCollected, saveReturnable, type CollectedReference } from './collected-rows.js';
import { finishRefund } from './refundable-money.js';
import { recordRefundEvent } from './refund-events.js';

type DueRefund = Pick<RefundRow, 'id' | 'sale_id' | 'capture_id'>;

/** Completes, fails or cancels the pending refunds whose time has come. */
export function finishRefunds(context: SandboxContext): Promise<Found> {
  const dueAt = (instant: Date) =>
    context.database
      .selectFrom('refunds')
      .select(['id', 'sale_id', 'capture_id', 'settles_at as due_at'])
      .where('state', '=', 'pending')
      .where('settles_at', '<=', instant);
  return carryOut(context, dueAt, (refund) => finish(context, refund));
}

function finish(context: SandboxContext, due: DueRefund): Promise<void> {
  return context.database.transaction().execute(async (transaction) => {
    const locked = await lockCollected(transaction, origin(due));
    const now = new Date();
    // Only the state that was read under the lock of its sale or capture counts.
    const refund = await transaction
      .updateTable('refunds')
      .set((column) => ({ state: column.fn.coalesce('settles_as', 'state'), updated_at: now }))
      .where('id', '=', due.id)
      .where('state', '=', 'pending')
      .returningAll()
      .executeTakeFirst();
    if (locked === undefined || refund === undefined || refund.settles_as === null) return;
    const returnable = finishRefund(locked.row, refund.amount_minor, refund.settles_as);
    const collected = await saveReturnable(transaction, locked, returnable, now);
    if (refund.settles_as !== 'completed') return;
    await bookRefund({ transaction, now, requestId: refund.request_id }, refund, collected);
    await recordRefundEvent(transaction, refund, context.links, now);
  });
}

function origin({ sale_id, capture_id }: DueRefund): CollectedReference {
  return sale_id === null ? { kind: 'capture', id: capture_id ?? '' } : { kind: 'sale', id: sale_id };
}
