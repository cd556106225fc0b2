import type { AttemptRow } from '#database/schema';
import { NotFoundError } from '#payments-client';
import type { RefundStepInput, RefundStepOutcome } from '#workflows/contract';
import type { RefundEvent, RefundStep } from '#workflows/lifecycle/refund';
import type { DecidedReview } from '#workflows/lifecycle/step';
import { isProviderTrouble } from '../provider/provider-facts.js';
import { lookLimit } from '../provider/provider-clients.js';
import { answeredRefund } from '../provider/refund-facts.js';
import type { NamedResource } from '../steps/decision-result.js';
import { verifyStep } from '../steps/verify-step.js';
import type { ActivityContext } from '../context.js';
import { lookForRefund } from './look-up-refund.js';
import type { RefundWork } from './refund-books.js';

/** Holds an operator's decision against the provider, before it is believed. */
export async function verifyRefundDecision(
  work: RefundWork,
  input: RefundStepInput,
  decided: DecidedReview,
): Promise<RefundStepOutcome> {
  return await verifyStep(work, input, decided, {
    look: (_step, attempts) => lookForRefund(work.context, input, attempts),
    findNamed: (_step, id, attempts) => findNamed(work.context, input, id, attempts),
    eventOnWord,
    // Called undone on word alone, what it had reserved could go back a second time.
    isReadRequired: () => true,
  });
}

/** The refund that an operator names: believed only when it bears our reference, and is what was asked for. */
async function findNamed(
  { providers }: ActivityContext,
  { identity, state: { claim } }: RefundStepInput,
  id: string | undefined,
  attempts: readonly AttemptRow[],
): Promise<NamedResource<RefundEvent>> {
  if (id === undefined || claim.kind !== 'request') return { kind: 'unreadable' };
  try {
    const refund = await providers.for(identity).refunds.get(id, { signal: lookLimit() });
    if (!attempts.some(({ reference }) => reference === refund.invoiceNumber)) {
      return { kind: 'another', reason: 'That refund does not bear our reference.' };
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

/** That it was made stands on an operator's word; where it stands is read as soon as that can be done. */
function eventOnWord(_step: RefundStep, { resourceId }: DecidedReview<string>): RefundEvent | undefined {
  if (resourceId === undefined) return undefined;
  return { type: 'refundAnswered', refund: { providerRefundId: resourceId, state: 'pending' } };
}
