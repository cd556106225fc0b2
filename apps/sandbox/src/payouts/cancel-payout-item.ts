import type { SandboxContext } from '../context/sandbox-context.js';
import type { UnitOfWork } from '../context/unit-of-work.js';
import { ApiError } from '../http/api-error.js';
import type { Answer } from '../server/idempotency.js';
import { changeItem, lockItem } from './change-payout-item.js';
import { describeItem } from './payout-representation.js';

/**
 * Takes an unclaimed item back.
 * @throws ApiError ITEM_ALREADY_CANCELLED the second time; ITEM_INCORRECT_STATUS for an item that is not unclaimed.
 */
export async function cancelPayoutItem(
  context: SandboxContext,
  unit: UnitOfWork,
  itemId: string,
): Promise<Answer> {
  const item = await lockItem(unit.transaction, itemId, unit.application.clientId);
  if (item === undefined) throw new ApiError('INVALID_RESOURCE_ID');
  if (item.is_cancelled) throw new ApiError('ITEM_ALREADY_CANCELLED');
  // An unclaimed item whose 30 days are over counts as returned, even before the sweep returns it.
  const isOver = item.due_at !== null && item.due_at <= unit.now;
  const cancelled = isOver ? null : await changeItem(unit, item, 'cancel', context.links);
  if (cancelled === null) throw new ApiError('ITEM_INCORRECT_STATUS');
  return { status: 200, body: describeItem(cancelled, item.sender_batch_id, context.links) };
}
