import { type PayoutItem, RejectedError } from '#payments-client';
import type { LookHint, StepEvent } from '#workflows/lifecycle/step';
import type { PayoutStepInput, PayoutStepOutcome } from '#workflows/contract';
import { itemStatusOf, type PayoutEvent, type PayoutStep } from '#workflows/lifecycle/payout';
import { lookLimit } from '../provider/provider-clients.js';
import { UnreadableAnswerError } from '../provider/provider-facts.js';
import { attemptStep } from '../steps/attempts/attempt-step.js';
import { meaningOf, refusalMeanings } from '../steps/attempts/error-mapping.js';
import { requireOpenStep } from '../steps/attempts/step-record.js';
import { type LookupResult, lookUpStep, readable } from '../steps/lookups/look-up-step.js';
import type { PayoutWork } from './payout-writer.js';
import { takeShownItem } from './payout-facts.js';

/**
 * Cancels an unclaimed item. The provider has no idempotency key for this call, but the item's state lets it happen
 * only once.
 */
export async function cancelPayoutItem(work: PayoutWork, input: PayoutStepInput): Promise<PayoutStepOutcome> {
  const step = cancellationIn(input);
  return await attemptStep(work, input, async ({ requestId }) => {
    const { payoutItems } = work.context.providers.for(input.identity);
    try {
      const item = await payoutItems.cancel(step.providerItemId, { requestId });
      if (itemStatusOf(item.status) !== 'returned') throw new UnreadableAnswerError();
      return await cancelled(work, input, item);
    } catch (error) {
      // It was already cancelled, by us or by someone else. A read shows the result.
      if (!(error instanceof RejectedError)) throw error;
      if (meaningOf(refusalMeanings.payout, error) !== 'itemAlreadyCancelled') throw error;
      // An error of this read must not be taken for that of the call.
      const seen = await readable(lookUpItem(work, input, step));
      if (typeof seen === 'string') throw new UnreadableAnswerError();
      return seen;
    }
  });
}

export async function lookUpCancellation(
  work: PayoutWork,
  input: PayoutStepInput,
  hint?: LookHint,
): Promise<PayoutStepOutcome> {
  return await lookUpStep(work, input, () => lookUpItem(work, input, cancellationIn(input)), hint);
}

/** Reads an item: it was cancelled, it can no longer be cancelled, or neither so far. */
export async function lookUpItem(
  work: PayoutWork,
  input: PayoutStepInput,
  { providerItemId }: Pick<Cancellation, 'providerItemId'>,
): Promise<LookupResult<PayoutEvent>> {
  const { payoutItems } = work.context.providers.for(input.identity);
  const item = await payoutItems.get(providerItemId, { signal: lookLimit() });
  const status = itemStatusOf(item.status);
  switch (status) {
    case undefined:
      return 'unreadable';
    case 'returned':
      return await cancelled(work, input, item);
    case 'queued':
    case 'pending':
    case 'onhold':
    case 'unclaimed':
      return 'absent';
    default: {
      await takeShownItem(work.context.db, input.identity.payoutId, item);
      const reason = `The item is ${status} at the provider, which excludes it.`;
      return { type: 'stepDeclined', reason } satisfies StepEvent;
    }
  }
}

type Cancellation = Extract<PayoutStep, { type: 'cancelPayoutItem' }>;

function cancellationIn({ state }: PayoutStepInput): Cancellation {
  const { step } = requireOpenStep(state);
  if (step.type !== 'cancelPayoutItem') throw new Error('nothing to cancel');
  return step;
}

/** Writes the item's row before the attempt's. After a crash in between, a lookup finds the item as it is. */
async function cancelled(
  { context }: PayoutWork,
  { identity }: PayoutStepInput,
  item: PayoutItem,
): Promise<PayoutEvent> {
  return { type: 'itemCancelled', totals: await takeShownItem(context.db, identity.payoutId, item) };
}
