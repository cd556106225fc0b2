import type { StepInput, StepOutcome } from '#workflows/contract';
import { attemptStep } from '../steps/attempt-step.js';
import { requireOpenStep } from '../steps/step-record.js';
import type { PaymentWork } from './payment-books.js';
import { UnreadableAnswerError } from '../provider/provider-facts.js';

/** Releases what is left of the hold. */
export async function voidAuthorization(work: PaymentWork, input: StepInput): Promise<StepOutcome> {
  const { step } = requireOpenStep(input.state);
  const { authorization } = input.state;
  if (step.type !== 'voidAuthorization' || !authorization) throw new Error('nothing to void');
  return await attemptStep(work, input, async ({ requestId }) => {
    const { authorizations } = work.context.providers.for(input.identity);
    const { state } = await authorizations.void(authorization.authorizationId, { requestId });
    if (state !== 'voided') throw new UnreadableAnswerError();
    return { type: 'voidConfirmed' };
  });
}
