import type { StepInput, StepOutcome } from '#workflows/contract';
import { formatMoney } from '#workflows/lifecycle';
import { captureOf } from '../provider/provider-facts.js';
import { attemptStep } from '../steps/attempt-step.js';
import { requireOpenStep } from '../steps/step-record.js';
import type { PaymentWork } from './payment-books.js';

/** Captures a part or the whole of the hold, under a reference of its own (provider-facts: not keyed there). */
export async function captureAuthorization(work: PaymentWork, input: StepInput): Promise<StepOutcome> {
  const { step } = requireOpenStep(input.state);
  const { authorization, order } = input.state;
  if (step.type !== 'captureAuthorization' || !authorization) throw new Error('nothing to capture');
  const { currency } = order.amount;
  return await attemptStep(work, input, async ({ requestId, reference }) => {
    const { authorizations } = work.context.providers.for(input.identity);
    const capture = await authorizations.capture(
      authorization.authorizationId,
      {
        amount: { value: formatMoney({ minor: step.minor, currency }), currency },
        isFinalCapture: step.final,
        invoiceNumber: reference,
      },
      { requestId },
    );
    return {
      type: 'captureAnswered',
      capture: { ...captureOf(capture, currency), final: step.final, commandId: step.commandId },
    };
  });
}
