import type { StepInput, StepOutcome } from '../../../../libs/workflows/src/contract.js';
import { eventOfPayment } from '../provider/provider-facts.js';
import type { ActivityContext } from './activity-context.js';
import { attemptStep, requireOpenStep } from './attempt-step.js';

/** Executes what the payer approved: the provider locks the funds (specification 3). */
export async function executePayment(context: ActivityContext, input: StepInput): Promise<StepOutcome> {
  const { step } = requireOpenStep(input);
  const { providerPaymentId } = input.state;
  if (step.type !== 'executePayment' || providerPaymentId === undefined)
    throw new Error('nothing to execute');
  return await attemptStep(context, input, async ({ requestId }) => {
    const { payments } = context.providers.for(input.identity);
    const payment = await payments.execute(providerPaymentId, { payerId: step.payerId }, { requestId });
    return eventOfPayment(payment, input.state.order.amount.currency);
  });
}
