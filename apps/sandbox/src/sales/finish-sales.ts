import { bookSale } from '../books/sale-movements.js';
import { carryOut } from '../clock/carry-out.js';
import type { Found } from '../clock/recurring-task.js';
import type { SandboxContext } from '../context/sandbox-context.js';
import type { SaleRow } from '../database/tables.js';
import { endProgress } from '../completion/end-progress.js';
import { recordSaleEvent } from './sale-events.js';

type DueSale = Pick<SaleRow, 'id' | 'payment_id' | 'settles_as'>;

/** Completes or denies the pending sales whose time has come. */
export function finishSales(context: SandboxContext): Promise<Found> {
  const dueAt = (instant: Date) =>
    context.database
      .selectFrom('sales')
      .select(['id', 'payment_id', 'settles_as', 'settles_at as due_at'])
      .where('state', '=', 'pending')
      .where('settles_at', '<=', instant);
  return carryOut(context, dueAt, (sale) => finish(context, sale));
}

function finish(context: SandboxContext, due: DueSale): Promise<void> {
  return context.database.transaction().execute(async (transaction) => {
    const now = new Date();
    // The payment first: the order of locks (context/unit-of-work.ts).
    if (due.payment_id !== null) {
      const state = due.settles_as === 'denied' ? 'failed' : 'approved';
      await endProgress(transaction, due.payment_id, state, now);
    }
    // Only a sale that is still pending once its row is locked, so that none is ended twice.
    const sale = await transaction
      .updateTable('sales')
      .set((column) => ({ state: column.fn.coalesce('settles_as', 'state'), updated_at: now }))
      .where('id', '=', due.id)
      .where('state', '=', 'pending')
      .returningAll()
      .executeTakeFirst();
    if (sale === undefined || sale.settles_as === null) return;
    if (sale.settles_as === 'completed') {
      await bookSale({ transaction, now, requestId: sale.request_id }, sale);
    }
    await recordSaleEvent(transaction, sale, sale.settles_as, context.links, now);
  });
}
