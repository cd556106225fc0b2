import { findSealedLetters, listPayoutItems } from '#database/subjects';
import type { AttemptRow } from '#database/schema';
import { findAttempts } from '#database/transitions';
import type { CodecKeys } from '#payload-codec';
import {
  type CreatePayoutRequest,
  DeclinedError,
  NotFoundError,
  type PaymentsClient,
  type PayoutBatch,
  RejectedError,
  UnknownOutcomeError,
} from '#payments-client';
import type { PayoutStepInput, PayoutStepOutcome } from '#workflows/contract';
import { formatMoney } from '#workflows/lifecycle';
import { nameOfStep, type PayoutEvent, wouldBeAnotherBatch } from '#workflows/lifecycle/payout';
import type { StepEvent } from '#workflows/lifecycle/step';
import { lookLimit } from '../provider/provider-clients.js';
import { UnreadableAnswerError, isProviderTrouble } from '../provider/provider-facts.js';
import { attemptStep } from '../steps/attempts/attempt-step.js';
import { requireOpenStep } from '../steps/attempts/step-record.js';
import { isOpen } from '../steps/attempts/recorded-outcome.js';
import { NotSentError, meaningOf, refusalMeanings } from '../steps/attempts/error-mapping.js';
import { openReceivers } from './payout-receivers.js';
import type { PayoutWork } from './payout-writer.js';

/**
 * Sends a batch in one call. Our payout id is always its `sender_batch_id`. The provider accepts one batch with that id
 * in 30 days, so the same request can be repeated when an answer was lost, and the refusal of the repeat proves that
 * the batch exists (docs/decisions/0017).
 */
export async function createPayout(
  work: PayoutWork,
  codecKeys: CodecKeys,
  input: PayoutStepInput,
): Promise<PayoutStepOutcome> {
  const request = await requestOf(work, codecKeys, input);
  return await attemptStep(work, input, async ({ requestId }) => {
    // Checked again: the run may have decided long ago, because no worker could carry it out.
    if (wouldBeAnotherBatch(input.state, Date.now()))
      throw new NotSentError('the provider no longer recognizes a repeat of the batch');
    try {
      const { payouts } = work.context.providers.for(input.identity);
      const batch = await payouts.create(request(), { requestId });
      if (await isOfAnother(payouts, batch, input.identity.payoutId)) throw new UnreadableAnswerError();
      return { type: 'payoutCreated', providerBatchId: batch.id };
    } catch (error) {
      return (await existingBatch(work, input, error)) ?? (await refusalOfRepeat(work, input, error));
    }
  });
}

/** Read before the attempt begins, so that reading our own rows does not use up the time of the call. */
async function requestOf(
  { context: { db } }: PayoutWork,
  codecKeys: CodecKeys,
  { identity: { payoutId } }: PayoutStepInput,
): Promise<() => CreatePayoutRequest> {
  const [sealed, items] = await Promise.all([
    findSealedLetters(db, 'payouts', payoutId),
    listPayoutItems(db, payoutId),
  ]);
  // Deleted once the provider has the batch. A late worker then finds that attempt and sends nothing.
  if (!sealed) {
    return () => {
      throw new NotSentError('the receivers and texts of the payout were already deleted');
    };
  }
  const texts = openReceivers(codecKeys, sealed, payoutId);
  if (texts.items.length !== items.length)
    throw new Error('a payout does not have one receiver for each item');
  return () => {
    return {
      senderBatchId: payoutId,
      emailSubject: texts.emailSubject,
      items: items.map(({ item_id, receiver_type, minor, currency }, at) => {
        const item = texts.items[at];
        if (!item) throw new Error('an item has no receiver');
        const [receiver, note] = item;
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

/** An answer without a reference may be about any batch, which a read may show. */
async function isOfAnother(
  payouts: PaymentsClient['payouts'],
  { id, senderBatchId }: PayoutBatch,
  payoutId: string,
): Promise<boolean> {
  const read = async () => await payouts.get(id, { signal: lookLimit() });
  // The call was carried out: an error of this read must not be taken for its refusal.
  const shown = senderBatchId ?? (await read().catch(() => undefined))?.senderBatchId;
  return shown !== undefined && shown !== payoutId;
}

/** The batch that the provider names is ours only if it has our reference. */
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
  // It cannot be read now: whether it exists stays unknown and is asked again.
  throw new UnreadableAnswerError();
}

function batchNamedBy(error: unknown): string | undefined {
  if (error instanceof RejectedError) return error.existingId;
  return error instanceof UnknownOutcomeError ? error.evidence.resourceId : undefined;
}

/**
 * A refusal proves that this call did nothing. It proves nothing about an earlier call whose answer was lost: the
 * provider may refuse for another reason before it checks whether the batch exists.
 *
 * @throws the error itself if it is to be mapped like any other.
 */
async function refusalOfRepeat(
  { context: { db } }: PayoutWork,
  { identity, state }: PayoutStepInput,
  error: unknown,
): Promise<PayoutEvent> {
  if (!isRefusal(error)) throw error;
  // Another batch of ours has the same reference, and the provider does not name it.
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

/** The call may still be carried out. A refused call is not, although the step's outcome stays unknown. */
function isInFlight(attempt: AttemptRow): boolean {
  const event = attempt.event as StepEvent | null;
  return isOpen(attempt) && !(event?.type === 'outcomeUnknown' && event.refusal !== undefined);
}

function isRefusal(error: unknown): error is RejectedError | DeclinedError | NotFoundError {
  return error instanceof RejectedError || error instanceof DeclinedError || error instanceof NotFoundError;
}

function isDuplicate(error: RejectedError): boolean {
  return (
    meaningOf(refusalMeanings.payout, error) === 'referenceInUse' &&
    error.issues.some(({ field }) => /sender_?batch_?id/i.test(field))
  );
}
