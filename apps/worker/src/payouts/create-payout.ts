import { findSealedLetters, listPayoutItems } from '#database/subjects';
import type { AttemptRow } from '#database/schema';
import { findAttempts } from '#database/transitions';
import type { CodecKeys } from '#payload-codec';
import {
  type CreatePayoutRequest,
  DeclinedError,
  NotFoundError,
  RejectedError,
  UnknownOutcomeError,
} from '#payments-client';
import type { PayoutStepInput, PayoutStepOutcome } from '#workflows/contract';
import { formatMoney } from '#workflows/lifecycle';
import { nameOfStep, type PayoutEvent } from '#workflows/lifecycle/payout';
import type { StepEvent } from '#workflows/lifecycle/step';
import { lookLimit } from '../provider/provider-clients.js';
import { UnreadableAnswerError, isProviderTrouble } from '../provider/provider-facts.js';
import { attemptStep } from '../steps/attempt-step.js';
import { requireOpenStep } from '../steps/step-record.js';
import { isOpen } from '../steps/recorded-outcome.js';
import { NotSentError } from '../steps/error-mapping.js';
import { openLetters } from './payout-letters.js';
import type { PayoutWork } from './payout-books.js';

/**
 * Sends a batch in one call. Our payout's id is its `sender_batch_id`, for good: the provider takes one batch of that id
 * in 30 days, so the same request can be made again where an answer was lost, and the refusal of a repeat is no refusal
 * but the proof that the batch is there (docs/decisions/0017).
 */
export async function createPayout(
  work: PayoutWork,
  codecKeys: CodecKeys,
  input: PayoutStepInput,
): Promise<PayoutStepOutcome> {
  const request = await requestOf(work, codecKeys, input);
  return await attemptStep(work, input, async ({ requestId }) => {
    try {
      const batch = await work.context.providers.for(input.identity).payouts.create(request(), { requestId });
      return { type: 'payoutCreated', providerBatchId: batch.id };
    } catch (error) {
      return (await existingBatch(work, input, error)) ?? (await refusalInDoubt(work, input, error));
    }
  });
}

/** Read before the attempt is begun: what is read from our own rows must not count against the time of the call. */
async function requestOf(
  { context: { db } }: PayoutWork,
  codecKeys: CodecKeys,
  { identity: { payoutId } }: PayoutStepInput,
): Promise<() => CreatePayoutRequest> {
  const [sealed, items] = await Promise.all([findSealedLetters(db, payoutId), listPayoutItems(db, payoutId)]);
  // Gone once the provider has the batch: whoever comes too late finds the attempt that says so, and sends nothing.
  if (!sealed) {
    return () => {
      throw new NotSentError('what is to be sent of the payout has been erased');
    };
  }
  const letters = openLetters(codecKeys, sealed, payoutId);
  if (letters.items.length !== items.length) throw new Error('a payout has not one letter for each item');
  return () => {
    return {
      senderBatchId: payoutId,
      emailSubject: letters.emailSubject,
      items: items.map(({ item_id, receiver_type, minor, currency }, at) => {
        const letter = letters.items[at];
        if (!letter) throw new Error('an item has no letter');
        const [receiver, note] = letter;
        return {
          recipientType: receiver_type,
          receiver,
          amount: { value: formatMoney({ minor, currency }), currency },
          senderItemId: item_id,
          note: note ?? undefined,
        };
      }),
    };
  };
}

/** Where the provider has named a batch, it is ours only if it shows so by itself. */
async function existingBatch(
  { context }: PayoutWork,
  { identity }: PayoutStepInput,
  error: unknown,
): Promise<PayoutEvent | undefined> {
  const id = batchNamedBy(error);
  if (id === undefined) return undefined;
  try {
    const batch = await context.providers.for(identity).payouts.get(id, { signal: lookLimit() });
    if (batch.senderBatchId === identity.payoutId)
      return { type: 'payoutCreated', providerBatchId: batch.id };
  } catch (failure) {
    if (!isProviderTrouble(failure)) throw failure;
  }
  // It cannot be read now: whether it is there is open, and asked again.
  throw new UnreadableAnswerError();
}

function batchNamedBy(error: unknown): string | undefined {
  if (error instanceof RejectedError) return error.existingId;
  return error instanceof UnknownOutcomeError ? error.evidence.resourceId : undefined;
}

/**
 * A refusal says of this call that it did nothing. Of an earlier one whose answer was lost it says nothing, ever: the
 * provider may well refuse for another reason before it sees that the batch is there.
 *
 * @throws the error itself where it is to be mapped like any other.
 */
async function refusalInDoubt(
  { context: { db } }: PayoutWork,
  { identity, state }: PayoutStepInput,
  error: unknown,
): Promise<PayoutEvent> {
  if (!isRefusal(error)) throw error;
  // The same reference stands on another batch of ours, and the provider does not say on which.
  if (error instanceof RejectedError && isDuplicate(error)) throw new UnreadableAnswerError();
  const openStep = requireOpenStep(state);
  const attempts = await findAttempts(db, identity.payoutId, nameOfStep(openStep));
  const horizons = attempts
    .filter((attempt) => isInFlight(attempt) && attempt.attempt_number < openStep.attempts)
    .map(({ send_by }) => send_by.getTime() + state.order.patience.outcomeHorizonMs);
  if (horizons.length === 0) throw error;
  return {
    type: 'outcomeUnknown',
    horizonAt: Math.max(...horizons),
    refusal: error.code ?? 'no reason given',
  };
}

/** It may still be carried out. One that was refused is not, though it leaves the step in doubt. */
function isInFlight(attempt: AttemptRow): boolean {
  const event = attempt.event as StepEvent | null;
  return isOpen(attempt) && !(event?.type === 'outcomeUnknown' && event.refusal !== undefined);
}

function isRefusal(error: unknown): error is RejectedError | DeclinedError | NotFoundError {
  return error instanceof RejectedError || error instanceof DeclinedError || error instanceof NotFoundError;
}

function isDuplicate({ code, issues }: RejectedError): boolean {
  return code === 'USER_BUSINESS_ERROR' && issues.some(({ field }) => /sender_?batch_?id/i.test(field));
}
