import type { FastifyInstance } from 'fastify';
import type { SandboxContext } from '../context/sandbox-context.js';
import { ApiError } from '../http/api-error.js';
import { checkedId } from '../http/validation.js';
import { cancelPayoutBatch } from './cancel-payout-batch.js';
import { changeItem, lockItem } from './change-payout-item.js';
import { describeItem } from './payout-representation.js';

interface ById {
  Params: { id: string };
}

/** What receivers, reviewers and senders do to an item elsewhere. */
const ACTIONS = ['claim', 'release', 'complete', 'deny', 'return', 'block', 'refund', 'reverse'] as const;

/** Acts as everyone except the caller. A status that does not allow the action is a RESOURCE_CONFLICT. */
export function addPayoutAdminRoutes(admin: FastifyInstance, context: SandboxContext): void {
  for (const action of ACTIONS) {
    admin.post<ById>(`/admin/payouts-item/:id/${action}`, (request) =>
      actOnItem(context, checkedId(request.params.id), action),
    );
  }
  admin.post<ById>('/admin/payouts/:id/cancel', (request) =>
    cancelPayoutBatch(context, checkedId(request.params.id)),
  );
}

async function actOnItem(
  context: SandboxContext,
  itemId: string,
  action: (typeof ACTIONS)[number],
): Promise<object> {
  const described = await context.database.transaction().execute(async (transaction) => {
    const item = await lockItem(transaction, itemId);
    if (item === undefined) throw new ApiError('INVALID_RESOURCE_ID');
    const step = { transaction, now: new Date(), requestId: null };
    const changed = await changeItem(step, item, action, context.links);
    if (changed === null) throw new ApiError('RESOURCE_CONFLICT');
    return describeItem(changed, item.sender_batch_id, context.links);
  });
  context.wakeTasks();
  return described;
}
