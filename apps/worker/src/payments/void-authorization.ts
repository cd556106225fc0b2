import type { StepInput, StepOutcome } from '#workflows/contract';
import { attemptStep } from '../steps/attempts/attempt-step.js';
import { requireOpenStep } from '../steps/attempts/step-record.js';
import type { PaymentWork } from './payment-writer.js';
import { readEndedHold } from './read-ended-hold.js';
import { UnreadableAnswerError } from '../provider/provider-facts.js';

/** Voids what is left of the authorization. */
export async function voidAuthorization(work: PaymentWork, input: StepInput): Promise<StepOutcome> {
  const { step } = requireOpenStep(input.state);
  const { authorization } = input.state;
  if (step.type !== 'voidAuthorization' || !authorization) throw new Error('nothing to void');
  return await attemptStep(work, input, async ({ requestId }) => {
    const client = work.context.providers.for(input.identity);
    const { state } = await client.authorizations.void(authorization.authorizationId, { requestId });
    if (state !== 'voided') throw new UnreadableAnswerError();
    const shown = await readEndedHold(
      client,
      input.state,
      (facts) => facts.authorization?.state === 'voided',
    );
    return { type: 'voidConfirmed', shown };
  });
}
