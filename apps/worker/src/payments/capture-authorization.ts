import type { StepInput, StepOutcome } from '#workflows/contract';
import { formatMoney } from '#workflows/lifecycle';
import { attemptStep } from '../steps/attempts/attempt-step.js';
import { requireOpenStep } from '../steps/attempts/step-record.js';
import { answeredCapture } from './answered-capture.js';
import type { PaymentWork } from './payment-writer.js';
import { releasesRest, readEndedHold } from './read-ended-hold.js';

/**
 * Captures the authorization, whole or in part, under a reference of its own (provider-facts: the provider has no
 * idempotency key for it).
 */
export async function captureAuthorization(work: PaymentWork, input: StepInput): Promise<StepOutcome> {
  const { step } = requireOpenStep(input.state);
  const { authorization, order } = input.state;
  if (step.type !== 'captureAuthorization' || !authorization) throw new Error('nothing to capture');
  const { currency } = order.amount;
  return await attemptStep(work, input, async ({ requestId, reference }) => {
    const client = work.context.providers.for(input.identity);
    const made = await client.authorizations.capture(
      authorization.authorizationId,
      {
        amount: { value: formatMoney({ minor: step.minor, currency }), currency },
        isFinalCapture: step.final,
        invoiceNumber: reference,
      },
      { requestId },
    );
    const capture = {
      ...answeredCapture(made, input.state, { minor: step.minor, reference }),
      final: step.final,
      commandId: step.commandId,
    };
    if (!releasesRest(input.state, capture)) return { type: 'captureAnswered', capture };
    const shown = await readEndedHold(client, input.state, ({ captures }) =>
      captures.some(({ captureId }) => captureId === capture.captureId),
    );
    return { type: 'captureAnswered', capture, shown };
  });
}
