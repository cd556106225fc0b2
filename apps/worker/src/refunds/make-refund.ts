import type { RefundStepInput, RefundStepOutcome } from '#workflows/contract';
import { formatMoney } from '#workflows/lifecycle';
import { answeredRefund } from '../provider/refund-facts.js';
import { attemptStep } from '../steps/attempt-step.js';
import type { RefundWork } from './refund-books.js';

/** Gives money back, under a reference of its own; the provider deduplicates by its key as well (provider-facts). */
export async function makeRefund(work: RefundWork, input: RefundStepInput): Promise<RefundStepOutcome> {
  const { claim } = input.state;
  if (claim.kind !== 'request') throw new Error('nothing to refund');
  const { collected, amount } = claim;
  return await attemptStep(work, input, async ({ requestId, reference }) => {
    const { captures, sales } = work.context.providers.for(input.identity);
    const refund = await (collected.kind === 'capture' ? captures : sales).refund(
      collected.id,
      // Never "all that is left": should our books be wrong, the provider would send back what nobody asked for.
      { amount: { value: formatMoney(amount), currency: amount.currency }, invoiceNumber: reference },
      { requestId },
    );
    return { type: 'refundAnswered', refund: answeredRefund(refund, claim) };
  });
}
