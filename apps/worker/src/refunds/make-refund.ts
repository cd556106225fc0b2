import type { RefundStepInput, RefundStepOutcome } from '#workflows/contract';
import { formatMoney } from '#workflows/lifecycle';
import { UnreadableAnswerError } from '../provider/provider-facts.js';
import { answeredRefund } from '../provider/refund-facts.js';
import { attemptStep } from '../steps/attempts/attempt-step.js';
import type { RefundWork } from './refund-writer.js';

/** Refunds, under a reference of its own. The provider also deduplicates by the request id (provider-facts). */
export async function makeRefund(work: RefundWork, input: RefundStepInput): Promise<RefundStepOutcome> {
  const { claim } = input.state;
  if (claim.kind !== 'request') throw new Error('nothing to refund');
  const { collected, amount, description, providerReason: reason } = claim;
  return await attemptStep(work, input, async ({ requestId, reference }) => {
    const { captures, sales } = work.context.providers.for(input.identity);
    const refund = await (collected.kind === 'capture' ? captures : sales).refund(
      collected.id,
      // Always with an amount: if our records were wrong, a refund of "the rest" would send back money that nobody
      // requested.
      {
        amount: { value: formatMoney(amount), currency: amount.currency },
        invoiceNumber: reference,
        description,
        reason,
      },
      { requestId },
    );
    // Distinguishes two refunds of the same amount.
    if ((refund.invoiceNumber ?? reference) !== reference) throw new UnreadableAnswerError();
    return { type: 'refundAnswered', refund: answeredRefund(refund, claim) };
  });
}
