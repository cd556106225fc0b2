import type { CodecKeys } from '#payload-codec';
import type { Purchase, StepInput, StepOutcome } from '#workflows/contract';
import { formatMoney } from '#workflows/lifecycle';
import { writeDetails } from '#workflows/lifecycle/payment';
import { requireUndoubted } from '../provider/doubtful-hold.js';
import { isOfAnother } from '../provider/find-payment.js';
import { outcomeOfPayment } from '../provider/payment-answer.js';
import { UnreadableAnswerError } from '../provider/provider-facts.js';
import { attemptStep } from '../steps/attempts/attempt-step.js';
import { requireOpenStep } from '../steps/attempts/step-record.js';
import { lettersOf } from './payment-letters.js';
import type { PaymentWork } from './payment-writer.js';

const payeeLost =
  'The payment was not created, and its payee was lost with the run that knew it: order it again.';

/**
 * Creates the payment at the provider (specification 2.1). If the provider requires no approval, the reply contains the
 * authorization or sale, so this is a step that moves money. Our payment id is sent as `custom`, to find the payment
 * when the reply is lost.
 */
export async function createPayment(
  work: PaymentWork,
  codecKeys: CodecKeys,
  input: StepInput,
  purchase: Purchase,
): Promise<StepOutcome> {
  const { order } = input.state;
  const { currency } = order.amount;
  const { since } = requireOpenStep(input.state);
  // Read before the attempt begins, so that reading our own rows does not use up the time of the call.
  const letters = order.hasLetters ? await lettersOf(work, codecKeys, input) : undefined;
  return await attemptStep(work, input, async ({ requestId, reference }) => {
    // Without its payee, the money would go to the application's owner.
    if (purchase.isPayeeLost) return { type: 'stepDeclined', reason: payeeLost };
    const { shippingAddress, noteToPayer } = letters?.() ?? {};
    const client = work.context.providers.for(input.identity);
    const payment = await client.payments.create(
      {
        intent: order.intent ?? 'authorize',
        returnUrl: purchase.returnUrl,
        cancelUrl: purchase.cancelUrl,
        noteToPayer,
        transactions: [
          {
            amount: { value: formatMoney(order.amount), currency },
            ...(order.amountDetails && { amountDetails: writeDetails(order.amountDetails, currency) }),
            custom: order.paymentId,
            invoiceNumber: reference,
            ...(purchase.description !== undefined && { description: purchase.description }),
            ...(purchase.payeeEmail !== undefined && { payeeEmail: purchase.payeeEmail }),
            shippingAddress,
          },
        ],
      },
      { requestId },
    );
    if (isOfAnother(payment, { custom: order.paymentId, references: [reference] }))
      throw new UnreadableAnswerError();
    return requireUndoubted(client, { since: new Date(since) }, outcomeOfPayment(payment, order));
  });
}
