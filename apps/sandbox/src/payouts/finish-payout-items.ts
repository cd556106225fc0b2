import { carryOut } from '../clock/carry-out.js';
import type { Found } from '../clock/recurring-task.js';
import type { SandboxContext } from '../context/sandbox-context.js';
import { changeItem, lockItem } from './change-payout-item.js';
import type { ItemChange } from './item-changes.js';

/** Ends the pending items and returns the unclaimed ones whose time has come. */
export function finishPayoutItems(context: SandboxContext): Promise<Found> {
  const dueAt = (instant: Date) =>
    context.database.selectFrom('payout_items').select(['id', 'due_at']).where('due_at', '<=', instant);
  return carryOut(context, dueAt, ({ id }) => finish(context, id));
}

function finish(context: SandboxContext, itemId: string): Promise<void> {
  return context.database.transaction().execute(async (transaction) => {
    const item = await lockItem(transaction, itemId);
    const now = new Date();
    if (item?.due_at == null || item.due_at > now) return;
    await changeItem(
      { transaction, now, requestId: null },
      item,
      completionOf(item.settles_as),
      context.links,
    );
  });
}

function completionOf(settlesAs: 'completed' | 'denied' | null): ItemChange {
  if (settlesAs === null) return 'return';
  return settlesAs === 'completed' ? 'complete' : 'deny';
}
