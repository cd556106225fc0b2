import type { StepInput, StepOutcome } from '#workflows/contract';
import { outcomeOfPayment } from '../provider/payment-outcome.js';
import { attemptStep } from '../steps/attempt-step.js';
import { requireOpenStep } from '../steps/step-record.js';
import type { PaymentWork } from './payment-books.js';

/** Executes what the payer approved: the provider locks the funds (specification 3), or takes them at once. */
export async function executePayment(work: PaymentWork, input: StepInput): Promise<StepOutcome> {
  const { step } = requireOpenStep(input.state);
  const { providerPaymentId } = input.state;
  if (step.type !== 'executePayment' || providerPaymentId === undefined)
    throw new Error('nothing to execute');
  return await attemptStep(work, input, async ({ requestId }) => {
    const { payments } = work.context.providers.for(input.identity);
    const payment = await payments.execute(providerPaymentId, { payerId: step.payerId }, { requestId });
    return outcomeOfPayment(payment, input.state.order);
  });
}
