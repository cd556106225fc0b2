import {
  ConflictError,
  DeclinedError,
  NotFoundError,
  RateLimitedError,
  RejectedError,
  UnauthorizedError,
  UnavailableError,
  UnknownOutcomeError,
} from '#payments-client';
import { storableText } from '#database/text';
import type { AttemptOutcome } from '#database/schema';
import type { Instant, LifecycleEvent } from '#workflows/lifecycle';
import type { PaymentEvent } from '#workflows/lifecycle/payment';
import type { StepEvent } from '#workflows/lifecycle/step';
import type { SubscriptionEvent } from '#workflows/lifecycle/subscription';
import type { RefusalMeanings } from '../activities/subject-writer.js';

export interface MappedFailure {
  readonly outcome: AttemptOutcome;
  readonly event: StepEvent;
}

/** Nothing was sent: a read failed that is needed to look up an unknown outcome afterwards. */
export class NotSentError extends Error {
  override readonly name = 'NotSentError';
}

/**
 * Every refusal of a POST that means more than "step declined". An event: the lifecycle takes it. `unknownOutcome`: the step
 * may have been carried out, so a lookup must show it. The other words are for the activity that sends the step.
 */
export const refusalMeanings = {
  every: {
    // The payment is in an unexpected state, perhaps because the step was already carried out.
    PAYMENT_STATE_INVALID: 'unknownOutcome',
    // The key was used before: a lookup must show for what.
    DUPLICATE_REQUEST_ID: 'unknownOutcome',
  },
  payment: {
    // The approval came with a wrong payer id. That does not end the payment: the payer can still return.
    INVALID_PAYER_ID: { type: 'approvalFoundMissing' },
    PAYMENT_NOT_APPROVED_FOR_EXECUTION: { type: 'approvalFoundMissing' },
    REAUTHORIZATION_TOO_SOON: {
      type: 'reauthorizationTooSoon',
      reason: 'The provider refused it (REAUTHORIZATION_TOO_SOON).',
    },
  },
  subscription: {
    // It does not end the subscription: the payer may still approve.
    PAYMENT_NOT_APPROVED_FOR_EXECUTION: { type: 'approvalFoundMissing' },
    PAYMENT_EXPIRED: { type: 'approvalFoundMissing', isOver: true },
  },
  payout: {
    // If it is about the reference: another batch has it.
    USER_BUSINESS_ERROR: 'referenceInUse',
    ITEM_ALREADY_CANCELLED: 'itemAlreadyCancelled',
  },
} satisfies {
  every: RefusalMeanings<'unknownOutcome'>;
  payment: RefusalMeanings<PaymentEvent>;
  subscription: RefusalMeanings<SubscriptionEvent>;
  payout: RefusalMeanings<'referenceInUse' | 'itemAlreadyCancelled'>;
};

export function meaningOf<Meaning>(
  meanings: RefusalMeanings<Meaning> | undefined,
  { code = '' }: RejectedError,
): Meaning | undefined {
  return meanings && Object.hasOwn(meanings, code) ? meanings[code] : undefined;
}

/**
 * Refusals that a step causes itself once it has been carried out, by the type of the step. A gateway may send a POST
 * again when it has lost the reply, and pass on the answer to the second one. Left out are steps that the provider answers
 * the same way twice, and reauthorization: it moves no money, and a read shows its hold.
 */
const refusalsOfDone: Readonly<Record<string, readonly string[]>> = {
  captureAuthorization: ['AUTHORIZATION_ALREADY_COMPLETED', 'CAPTURE_AMOUNT_LIMIT_EXCEEDED'],
  voidAuthorization: ['AUTHORIZATION_VOIDED'],
  suspendAgreement: ['INVALID_STATUS_TO_SUSPEND'],
  reactivateAgreement: ['INVALID_STATUS_TO_REACTIVATE'],
  cancelAgreement: ['RP_INVALID_STATUS_TO_CANCEL'],
  billBalance: ['RP_CANT_INCREASE_OUTSTANDING_AMOUNT'],
};

/** Whether a step that was carried out is refused like this when its POST arrives once more. */
export function isRefusalOfDone(error: unknown, { type }: { readonly type: string }): boolean {
  if (!(error instanceof RejectedError) || !Object.hasOwn(refusalsOfDone, type)) return false;
  return refusalsOfDone[type]?.includes(error.code ?? '') ?? false;
}

interface Circumstances {
  readonly now: Instant;
  /** From this instant on, absence at the provider proves that the POST was not carried out. */
  readonly horizonAt: Instant;
  /** The number of earlier attempts proved undone. Each repeat waits twice as long as the one before. */
  readonly attempts: number;
  readonly firstRetryMs: number;
  readonly longestRetryMs: number;
  /** What the step acts on was made so recently that the provider may not know it everywhere. */
  readonly isNew?: boolean;
}

/**
 * Maps the error of a POST to a lifecycle event; no other place does. Unless the error proves that nothing was done,
 * the outcome is unknown. That includes programming errors, which may occur after the send.
 */
export function mapFailure(error: unknown, circumstances: Circumstances): MappedFailure {
  if (error instanceof NotSentError) return deferred(undefined, circumstances);
  if (error instanceof UnknownOutcomeError) return unknown(circumstances);
  if (error instanceof DeclinedError) return declined('The provider declined it', error.code);
  if (error instanceof RejectedError && meaningOf(refusalMeanings.every, error) === 'unknownOutcome')
    return unknown(circumstances);
  if (error instanceof RejectedError) return declined('The provider refused it', error.code);
  if (error instanceof NotFoundError && circumstances.isNew)
    return deferred(error.retryAfterMs, circumstances);
  if (error instanceof NotFoundError) return declined('The provider does not know the resource', error.code);
  // Another call conflicts, possibly an earlier send of this one: a lookup will show the outcome.
  if (error instanceof ConflictError) return unknown(circumstances);
  if (
    error instanceof RateLimitedError ||
    error instanceof UnavailableError ||
    // An operator can correct the credentials while the payment waits.
    error instanceof UnauthorizedError
  ) {
    return deferred(error.retryAfterMs, circumstances);
  }
  return unknown(circumstances);
}

/**
 * The refusal of a repeat does not prove that nothing happened: its cause may be the earlier attempt, which was called
 * undone but was carried out later than promised. So the outcome is looked up. The refusal counts only if nothing is
 * found until the horizon. The same holds for a refusal that the step may have caused itself.
 *
 * @param meant the refusal's event, if it means more than "step declined".
 */
export function mapRefusedRepeat(
  failure: MappedFailure,
  { horizonAt }: Circumstances,
  meant?: LifecycleEvent,
): MappedFailure {
  const { event } = failure;
  if (event.type !== 'stepDeclined') return failure;
  return {
    outcome: 'unknown',
    event: { type: 'outcomeUnknown', horizonAt, refusal: event.reason, ...(meant && { meant }) },
  };
}

/** Nothing was sent and nothing else may send this attempt: that proves it undone. */
export function tooLateToSend(): MappedFailure {
  return { outcome: 'deferred', event: { type: 'stepDeferred', retryAt: Date.now() } };
}

function declined(words: string, code: string | undefined): MappedFailure {
  return {
    outcome: 'declined',
    event: {
      type: 'stepDeclined',
      reason: `${words} (${code === undefined ? 'no reason given' : storableText(code)}).`,
    },
  };
}

function deferred(
  retryAfterMs: number | undefined,
  { now, attempts, firstRetryMs, longestRetryMs }: Circumstances,
): MappedFailure {
  // A wait that the provider requests is limited, too: an open step blocks captures, voids and deadlines.
  const wait = Math.min(longestRetryMs, Math.max(retryAfterMs ?? 0, firstRetryMs * 2 ** attempts));
  return { outcome: 'deferred', event: { type: 'stepDeferred', retryAt: now + wait } };
}

function unknown({ horizonAt }: Circumstances): MappedFailure {
  return { outcome: 'unknown', event: { type: 'outcomeUnknown', horizonAt } };
}
