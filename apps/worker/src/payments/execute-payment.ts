import type { StepInput, StepOutcome } from '#workflows/contract';
import { requireUndoubted } from '../provider/doubtful-hold.js';
import { outcomeOfPayment } from '../provider/payment-answer.js';
import { attemptStep } from '../steps/attempts/attempt-step.js';
import { requireOpenStep } from '../steps/attempts/step-record.js';
import type { PaymentWork } from './payment-writer.js';

/** Executes an approved payment: the provider holds the funds (specification 3), or takes them at once. */
export async function executePayment(work: PaymentWork, input: StepInput): Promise<StepOutcome> {
  const { step, since } = requireOpenStep(input.state);
  const { providerPaymentId } = input.state;
  if (step.type !== 'executePayment' || providerPaymentId === undefined)
    throw new Error('nothing to execute');
  return await attemptStep(work, input, async ({ requestId }) => {
    // The payer has cancelled since: what nobody has sent is not sent.
    if (input.state.isCancelWaiting) return { type: 'approvalFoundMissing' };
    const client = work.context.providers.for(input.identity);
    const payment = await client.payments.execute(
      providerPaymentId,
      { payerId: step.payerId },
      { requestId },
    );
    return requireUndoubted(client, { since: new Date(since) }, outcomeOfPayment(payment, input.state.order));
  });
}
