import type { Purchase, StepInput, StepOutcome } from '#workflows/contract';
import { formatMoney } from '#workflows/lifecycle';
import { outcomeOfPayment } from '../provider/payment-outcome.js';
import { attemptStep } from '../steps/attempt-step.js';
import type { PaymentWork } from './payment-books.js';

const payeeLost = 'It was not created, and its payee is lost with the run that knew it: order it again.';

/**
 * Creates the payment at the provider (specification 2.1). The reply may bring the hold or sale itself, where the
 * provider asks no payer, so this is a step that moves money. Our payment id travels as `custom`: a lost reply is found by it.
 */
export async function createPayment(
  work: PaymentWork,
  input: StepInput,
  purchase: Purchase,
): Promise<StepOutcome> {
  const { order } = input.state;
  return await attemptStep(work, input, async ({ requestId, reference }) => {
    // Created without its payee, the money would go to the application's owner.
    if (purchase.isPayeeLost) return { type: 'stepDeclined', reason: payeeLost };
    const payment = await work.context.providers.for(input.identity).payments.create(
      {
        intent: order.intent ?? 'authorize',
        returnUrl: purchase.returnUrl,
        cancelUrl: purchase.cancelUrl,
        transactions: [
          {
            amount: { value: formatMoney(order.amount), currency: order.amount.currency },
            custom: order.paymentId,
            invoiceNumber: reference,
            ...(purchase.description !== undefined && { description: purchase.description }),
            ...(purchase.payeeEmail !== undefined && { payeeEmail: purchase.payeeEmail }),
          },
        ],
      },
      { requestId },
    );
    return outcomeOfPayment(payment, order);
  });
}
