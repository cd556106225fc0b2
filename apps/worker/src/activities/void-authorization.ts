import type { StepInput, StepOutcome } from '../../../../libs/workflows/src/contract.js';
import type { ActivityContext } from './activity-context.js';
import { attemptStep, requireOpenStep } from './attempt-step.js';
import { UnreadableAnswerError } from '../provider/provider-facts.js';

/** Releases what is left of the hold. */
export async function voidAuthorization(context: ActivityContext, input: StepInput): Promise<StepOutcome> {
  const { step } = requireOpenStep(input);
  const { authorization } = input.state;
  if (step.type !== 'voidAuthorization' || !authorization) throw new Error('nothing to void');
  return await attemptStep(context, input, async ({ requestId }) => {
    const { authorizations } = context.providers.for(input.identity);
    const { state } = await authorizations.void(authorization.authorizationId, { requestId });
    if (state !== 'voided') throw new UnreadableAnswerError();
    return { type: 'voidConfirmed' };
  });
}
