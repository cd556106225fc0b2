import { z } from 'zod';
import { bookReversal } from '../books/refund-movements.js';
import { describeCapture } from '../captures/capture-representation.js';
import { tellCapture } from '../captures/tell-capture.js';
import { ApiError } from '../http/api-error.js';
import { amountSchema } from '../payments/amount-schema.js';
import { describeSale } from '../sales/sale-representation.js';
import { tellSale } from '../sales/tell-sale.js';
import type { SandboxContext } from '../sandbox-context.js';
import { lockCollected, saveReturnable, type CollectedReference } from './collected-rows.js';
import { requireSameCurrency } from './refund-collected.js';
import { reverse } from './returning.js';

export const reversalRequest = z.strictObject({ amount: amountSchema.optional() });

/**
 * The payer's bank takes the money back from the payee: all that is left, or the amount given. Pending refunds keep what
 * they have reserved. Answers the sale or the capture as it stands then.
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
      await tellSale(transaction, reversed.row, 'reversed', links, now);
      return describeSale(reversed.row, links);
    }
    await tellCapture(transaction, reversed.row, 'reversed', links, now);
    return describeCapture(reversed.row, links);
  });
  context.wakeDeliveries();
  return answer;
}
