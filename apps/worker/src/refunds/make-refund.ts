import { listOtherRefunds } from '#database/subjects';
import type { RefundStepInput, RefundStepOutcome } from '#workflows/contract';
import { formatMoney } from '#workflows/lifecycle';
import { UnreadableAnswerError } from '../provider/provider-facts.js';
import { answeredRefund } from '../provider/refund-facts.js';
import { attemptStep } from '../steps/attempts/attempt-step.js';
import { idsOfOthers } from './nameless-refund.js';
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
    if (refund.invoiceNumber === undefined && (await isOnRecord(work, input, refund.id)))
      throw new UnreadableAnswerError();
    return { type: 'refundAnswered', refund: answeredRefund(refund, claim) };
  });
}

/** Whether it is the refund of another request, or was made elsewhere: then it is not what this call has made. */
async function isOnRecord(
  { context }: RefundWork,
  { identity: { refundId }, state: { paymentId } }: RefundStepInput,
  providerRefundId: string,
): Promise<boolean> {
  const others = await listOtherRefunds(context.db, { paymentId, refundId });
  return idsOfOthers(others).includes(providerRefundId);
}
