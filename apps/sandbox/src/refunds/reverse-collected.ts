import { z } from 'zod';
import { bookReversal } from '../books/refund-movements.js';
import { describeCapture } from '../captures/capture-representation.js';
import { recordCaptureEvent } from '../captures/capture-events.js';
import type { SandboxContext } from '../context/sandbox-context.js';
import { ApiError } from '../http/api-error.js';
import { amountSchema } from '../money/amount-schema.js';
import { describeSale } from '../sales/sale-representation.js';
import { recordSaleEvent } from '../sales/sale-events.js';
import { lockCollected, saveReturnable, type CollectedReference } from './collected-rows.js';
import { requireSameCurrency } from './refund-collected.js';
import { reverse } from './refundable-money.js';

export const reversalRequest = z.strictObject({ amount: amountSchema.optional() });

/**
 * The payer's bank takes the money back from the payee: all that is left, or the given amount. Pending refunds keep
 * what they have reserved. Returns the changed sale or capture.
 * @throws ApiError as a refund does.
 */
export async function reverseCollected(
  context: SandboxContext,
  reference: CollectedReference,
  request: z.output<typeof reversalRequest>,
): Promise<object> {
  const { links } = context;
  const answer = await context.database.transaction().execute(async (transaction) => {
    const locked = await lockCollected(transaction, reference);
    if (locked === undefined) throw new ApiError('INVALID_RESOURCE_ID');
    requireSameCurrency(locked, request.amount);
    const change = reverse(locked.row, request.amount?.minor ?? null);
    if ('refusal' in change) throw new ApiError(change.refusal);

    const now = new Date();
    const reversed = await saveReturnable(transaction, locked, change.returnable, now);
    await bookReversal({ transaction, now, requestId: null }, reversed, change.minor);
    if (reversed.kind === 'sale') {
      await recordSaleEvent(transaction, reversed.row, 'reversed', links, now);
      return describeSale(reversed.row, links);
    }
    await recordCaptureEvent(transaction, reversed.row, 'reversed', links, now);
    return describeCapture(reversed.row, links);
  });
  context.wakeTasks();
  return answer;
}
