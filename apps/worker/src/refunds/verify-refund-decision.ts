import type { AttemptRow } from '#database/schema';
import { NotFoundError } from '#payments-client';
import type { RefundStepInput, RefundStepOutcome } from '#workflows/contract';
import type { RefundEvent, RefundStep } from '#workflows/lifecycle/refund';
import type { DecidedReview } from '#workflows/lifecycle/step';
import { isProviderTrouble } from '../provider/provider-facts.js';
import { lookLimit } from '../provider/provider-clients.js';
import { answeredRefund } from '../provider/refund-facts.js';
import type { NamedResource } from '../steps/reviews/decision-result.js';
import { verifyStep } from '../steps/reviews/verify-step.js';
import type { ActivityContext } from '../steps/activities/context.js';
import { lookUpRefundRequest } from './look-up-refund-request.js';
import type { RefundWork } from './refund-writer.js';

/** Checks an operator's decision against the provider before it takes effect. */
export async function verifyRefundDecision(
  work: RefundWork,
  input: RefundStepInput,
  decided: DecidedReview,
): Promise<RefundStepOutcome> {
  return await verifyStep(work, input, decided, {
    lookUp: (_step, attempts) => lookUpRefundRequest(work.context, input, attempts),
    readNamed: (_step, id, attempts) => readNamedRefund(work.context, input, id, attempts),
    eventOnWord,
    // If it were undone by the operator's word alone, its amount could be refunded a second time.
    isReadRequired: () => true,
  });
}

/** Reads the refund that an operator names. It is accepted only if it has our reference and is the requested one. */
async function readNamedRefund(
  { providers }: ActivityContext,
  { identity, state: { claim } }: RefundStepInput,
  id: string | undefined,
  attempts: readonly AttemptRow[],
): Promise<NamedResource<RefundEvent>> {
  if (id === undefined || claim.kind !== 'request') return { kind: 'unreadable' };
  try {
    const refund = await providers.for(identity).refunds.get(id, { signal: lookLimit() });
    if (!attempts.some(({ reference }) => reference === refund.invoiceNumber)) {
      return { kind: 'another', reason: 'That refund does not have our reference.' };
    }
    return {
      kind: 'found',
      event: { type: 'refundAnswered', refund: answeredRefund(refund, claim) },
    };
  } catch (error) {
    if (error instanceof NotFoundError)
      return { kind: 'another', reason: 'The provider does not know that refund.' };
    if (isProviderTrouble(error)) return { kind: 'unreadable' };
    throw error;
  }
}

/** The operator's word says that it was made. Its status is read as soon as possible. */
function eventOnWord(_step: RefundStep, { resourceId }: DecidedReview<string>): RefundEvent | undefined {
  if (resourceId === undefined) return undefined;
  return { type: 'refundAnswered', refund: { providerRefundId: resourceId, state: 'pending' } };
}
