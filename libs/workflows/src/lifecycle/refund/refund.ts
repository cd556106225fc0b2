import type { TransitionResult as ResultOf, Instant, WaitPolicy } from '../lifecycle.js';
import type { Money } from '../money.js';
import { type OpenStep, type StepEffect, type StepEvent, runningStep } from '../step/open-step.js';
import type { DecisionRefusal, ReviewEffect, ReviewEvent } from '../step/review.js';

/**
 * The statuses of a refund. `requesting`: requested, and the provider has not answered. `observed`: reported, and not
 * read yet. `declined`: the provider did not make it. `unfounded`: the provider does not show it, or shows it as
 * somebody else's.
 */
export const refundStatuses = [
  'requesting',
  'observed',
  'pending',
  'completed',
  'failed',
  'cancelled',
  'declined',
  'unfounded',
  'needs_review',
] as const;
export type RefundStatus = (typeof refundStatuses)[number];

const terminalStatuses: ReadonlySet<RefundStatus> = new Set([
  'completed',
  'failed',
  'cancelled',
  'declined',
  'unfounded',
]);

export function isRefundTerminal(status: RefundStatus): boolean {
  return terminalStatuses.has(status);
}

/** The refunded capture or sale. */
export interface Collected {
  readonly kind: 'capture' | 'sale';
  readonly id: string;
}

/**
 * What a run is started for: a request of the order service, or a refund or reversal made elsewhere. A refund is a
 * resource at the provider. A reversal (chargeback) is not: it only shows on the capture or sale.
 */
export type RefundClaim =
  | {
      readonly kind: 'request';
      readonly collected: Collected;
      readonly amount: Money;
      /** The provider's payment, which lists its refunds: a lost answer is looked up there. */
      readonly providerPaymentId: string;
      /** For the payer. */
      readonly description?: string;
      /** For the provider's records. */
      readonly providerReason?: string;
    }
  | { readonly kind: 'refund'; readonly providerRefundId: string }
  | {
      readonly kind: 'reversal';
      readonly collected: Collected;
      /** When it changed the capture or sale: an older read can only show an earlier chargeback. */
      readonly changedAt?: Instant;
      /** The state of the capture or sale in its event. */
      readonly changedTo?: string;
      /** The provider's id of its event, the only resource that is the chargeback's own. Absent in older states. */
      readonly eventId?: string;
    };

export type RefundRequestClaim = Extract<RefundClaim, { kind: 'request' }>;

/** The call that makes the refund. Amount, source and texts are in the claim, so that a repeat cannot differ. */
export interface RefundStep {
  readonly type: 'makeRefund';
  readonly commandId: string;
}

/** A read, reduced to the facts that the lifecycle uses. */
export interface RefundFacts {
  /** The provider's state. */
  readonly state: string;
  /** Absent for a reversal beside others, or of a part: the provider does not show its amount. */
  readonly amount?: Money;
  /** What all reversals of the capture or sale have taken. Absent in older facts, where it is the `amount`. */
  readonly chargedBack?: Money;
  /** Only from earlier releases, which ended such a reversal without an amount; now it stays pending. */
  readonly isAmountInDoubt?: true;
  readonly collected: Collected & { readonly amount: Money; readonly state: string };
  /** The refunded payment of ours; absent if it is not ours. */
  readonly paymentId?: string;
  /** Our own request that made it, found by its reference. */
  readonly madeBy?: string;
  /** That request has no answer yet: until then it is undecided whether the refund belongs to it. */
  readonly isMakerOpen?: true;
  readonly settledAt?: Instant;
}

/** The provider's answer to a request, or the refund with its reference. */
export interface AnsweredRefund {
  readonly providerRefundId: string;
  readonly state: string;
  readonly settledAt?: Instant;
}

export interface RefundState {
  readonly status: RefundStatus;
  readonly claim: RefundClaim;
  /** For a refund made elsewhere: the claimed payment until the refund was read. */
  readonly paymentId: string;
  /** For a requested refund, once the provider has answered. */
  readonly providerRefundId?: string;
  readonly collected?: Collected;
  readonly amount?: Money;
  /** For a reversal: what all of its capture or sale have taken. Absent in older states, where it is the `amount`. */
  readonly chargedBack?: Money;
  readonly openStep?: OpenStep<RefundStep>;
  readonly stepsBegun: number;
  /** When the money went back, by the provider. */
  readonly refundedAt?: Instant;
  /** Why the refund is in its state, in words for an operator. */
  readonly reason?: string;
  /** The latest contradiction between the provider and our records; recorded once. */
  readonly contradiction?: string;
  /** Since when the refund is shown as completed although the capture or sale does not show it yet. */
  readonly uncorroboratedSince?: Instant;
  readonly startedAt: Instant;
  readonly polls: number;
  readonly lastLookAt?: Instant;
  readonly patience: WaitPolicy;
}

/** The events of a refund. Names are in the past tense. */
export type RefundEvent =
  | StepEvent
  | ReviewEvent
  | { readonly type: 'refundAnswered'; readonly refund: AnsweredRefund }
  /** The provider has completed a refund that was given up, later than it promised. */
  | { readonly type: 'refundCameToLight'; readonly refund: AnsweredRefund }
  | {
      readonly type: 'refundNotified';
      readonly eventType: string;
      /** The provider's id of the reported refund. */
      readonly resourceId?: string;
      /** A check over the API: the read is made at once and does not change the next poll. */
      readonly isCheck?: true;
      /** For a reversal that ended without an amount: the provider may show it by now. */
      readonly isForAmount?: true;
    }
  | { readonly type: 'pollCameDue' }
  | { readonly type: 'refundObserved'; readonly facts: RefundFacts }
  /** The provider was asked at `lookedAt` and does not show it. */
  | { readonly type: 'refundFoundMissing'; readonly lookedAt: Instant }
  | { readonly type: 'observationFailed' };
export type RefundEventType = RefundEvent['type'];

export type RefundEffect = StepEffect<RefundStep> | ReviewEffect | { readonly type: 'observe' };

export type RefundRefusalCode = 'not_allowed_in_state' | DecisionRefusal;

export type RefundTransitionResult = ResultOf<RefundState, RefundEffect, RefundRefusalCode>;

/** The first state of a requested refund: its first step is the call. */
export function requestedRefund(
  claim: RefundRequestClaim,
  { paymentId, commandId }: { readonly paymentId: string; readonly commandId: string },
  patience: WaitPolicy,
  now: Instant,
): RefundState {
  return {
    status: 'requesting',
    claim,
    paymentId,
    collected: claim.collected,
    amount: claim.amount,
    openStep: runningStep(1, { type: 'makeRefund', commandId }, now),
    stepsBegun: 1,
    startedAt: now,
    polls: 0,
    patience,
  };
}

/** The first state of a refund or reversal that was reported as made elsewhere. */
export function observedRefund(
  claim: Exclude<RefundClaim, { kind: 'request' }>,
  paymentId: string,
  patience: WaitPolicy,
  now: Instant,
): RefundState {
  return { status: 'observed', claim, paymentId, stepsBegun: 0, startedAt: now, polls: 0, patience };
}

/** The provider's id of the refund; undefined until it is known, and always for a reversal. */
export function providerRefundIdOf({ claim, providerRefundId }: RefundState): string | undefined {
  return claim.kind === 'refund' ? claim.providerRefundId : providerRefundId;
}

/** The refunded capture or sale; undefined for a refund made elsewhere that was not read yet. */
export function sourceOf({ claim, collected }: RefundState): Collected | undefined {
  return collected ?? (claim.kind === 'refund' ? undefined : claim.collected);
}
