import { bookSale } from '../books/sale-movements.js';
import type { SandboxContext } from '../sandbox-context.js';
import { tellSale } from './tell-sale.js';

const BATCH = 50;

/** Completes or denies the pending sales whose time has come; true when there were any. */
export async function settleSales(context: SandboxContext): Promise<boolean> {
  const due = await context.database
    .selectFrom('sales')
    .select('id')
    .where('state', '=', 'pending')
    .where('settles_at', '<=', new Date())
    .orderBy('settles_at')
    .limit(BATCH)
    .execute();
  for (const { id } of due) await settle(context, id);
  if (due.length > 0) context.wakeDeliveries();
  return due.length > 0;
}

function settle(context: SandboxContext, saleId: string): Promise<void> {
  return context.database.transaction().execute(async (transaction) => {
    const now = new Date();
    // Only a sale that is still pending once its row is locked: nothing is settled twice.
    const sale = await transaction
      .updateTable('sales')
      .set((column) => ({ state: column.fn.coalesce('settles_as', 'state'), updated_at: now }))
      .where('id', '=', saleId)
      .where('state', '=', 'pending')
      .returningAll()
      .executeTakeFirst();
    if (sale === undefined || sale.settles_as === null) return;
    if (sale.settles_as === 'completed') {
      await bookSale({ transaction, now, requestId: sale.request_id }, sale);
    }
    await tellSale(transaction, sale, sale.settles_as, context.links, now);
  });
}
