import type { TransitionResult as ResultOf, Instant, WaitPolicy } from '../lifecycle.js';
import type { Money } from '../money.js';
import { type OpenStep, type StepEffect, type StepEvent, runningStep } from '../step/open-step.js';
import type { DecisionRefusal, ReviewEffect, ReviewEvent } from '../step/review.js';

/**
 * Where a refund stands. `requesting`: asked for, and the provider has not answered. `observed`: somebody says that
 * there is one, and it has not been read back yet. `declined`: the provider did not make it. `unfounded`: the provider
 * does not show it, or shows it as somebody else's.
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

/** What collected the money that goes back. */
export interface Collected {
  readonly kind: 'capture' | 'sale';
  readonly id: string;
}

/**
 * What a run is started for: a request of the order service; or what was made elsewhere. There a refund is a resource of
 * the provider's; a reversal (chargeback) is not, it only shows on the capture or sale that it takes back from.
 */
export type RefundClaim =
  | {
      readonly kind: 'request';
      readonly collected: Collected;
      readonly amount: Money;
      /** Which shows all that was given back of it: a lost answer is looked up there. */
      readonly providerPaymentId: string;
    }
  | { readonly kind: 'refund'; readonly providerRefundId: string }
  | {
      readonly kind: 'reversal';
      readonly collected: Collected;
      /** When it changed what it takes back from: an older read can show an earlier chargeback only. */
      readonly changedAt?: Instant;
    };

export type RefundRequestClaim = Extract<RefundClaim, { kind: 'request' }>;

/** The call that sends the money back; how much of what is in the claim, so that a repeat cannot differ. */
export interface RefundStep {
  readonly type: 'makeRefund';
  readonly commandId: string;
}

/** What a read shows, reduced to what the lifecycle decides on. */
export interface RefundFacts {
  /** The provider's word for where it stands. */
  readonly state: string;
  /** Absent for a reversal of a part: the provider does not tell of how much. */
  readonly amount?: Money;
  /** Told by earlier releases, which ended without the amount after a horizon; now such a reversal is pending. */
  readonly isAmountInDoubt?: true;
  readonly collected: Collected & { readonly amount: Money; readonly state: string };
  /** Our payment whose money it is; absent when it is none of ours. */
  readonly paymentId?: string;
  /** Our own request that made it, by the reference that it bears: then nobody else did. */
  readonly madeBy?: string;
  /** That request waits for its answer yet: as long as it does not know of this one, nobody can say whose it is. */
  readonly isMakerOpen?: true;
  readonly settledAt?: Instant;
}

/** What the provider answers to a request, or shows under its reference. */
export interface AnsweredRefund {
  readonly providerRefundId: string;
  readonly state: string;
  readonly settledAt?: Instant;
}

export interface RefundState {
  readonly status: RefundStatus;
  readonly claim: RefundClaim;
  /** Of one made elsewhere, as the claim has it until it is read back. */
  readonly paymentId: string;
  /** Of one that was requested, once the provider has answered. */
  readonly providerRefundId?: string;
  readonly collected?: Collected;
  readonly amount?: Money;
  readonly openStep?: OpenStep<RefundStep>;
  readonly stepsBegun: number;
  /** When the money went back, as the provider states it. */
  readonly refundedAt?: Instant;
  /** Why it stands where it stands, in words for an operator. */
  readonly reason?: string;
  /** What the provider has shown last against what is known; recorded once. */
  readonly contradiction?: string;
  /** Since when the refund is shown completed while the capture or sale does not show it yet. */
  readonly uncorroboratedSince?: Instant;
  readonly startedAt: Instant;
  readonly polls: number;
  readonly lastLookAt?: Instant;
  readonly patience: WaitPolicy;
}

/** Names are past tense: they have happened. */
export type RefundEvent =
  | StepEvent
  | ReviewEvent
  | { readonly type: 'refundAnswered'; readonly refund: AnsweredRefund }
  /** The provider has completed what was given up: it was slower than it promised. */
  | { readonly type: 'refundCameToLight'; readonly refund: AnsweredRefund }
  | {
      readonly type: 'refundNotified';
      readonly eventType: string;
      /** The provider's id of the refund that is told of. */
      readonly resourceId?: string;
      /** Asked for by API: the read is made at once, and the next one comes when it would have come. */
      readonly isCheck?: true;
      /** Asked of what has ended without its amount: the provider may tell that by now. */
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

/** A refund that the order service has asked for: sending it is the first step. */
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

/** A refund or reversal that somebody else has made, or says to have made. */
export function observedRefund(
  claim: Exclude<RefundClaim, { kind: 'request' }>,
  paymentId: string,
  patience: WaitPolicy,
  now: Instant,
): RefundState {
  return { status: 'observed', claim, paymentId, stepsBegun: 0, startedAt: now, polls: 0, patience };
}

/** What the provider calls it by; undefined where it has not told yet, and always for a reversal. */
export function providerRefundIdOf({ claim, providerRefundId }: RefundState): string | undefined {
  return claim.kind === 'refund' ? claim.providerRefundId : providerRefundId;
}

/** What it gives back from; undefined of one made elsewhere that was not read back yet: it may be any of its payment's. */
export function sourceOf({ claim, collected }: RefundState): Collected | undefined {
  return collected ?? (claim.kind === 'refund' ? undefined : claim.collected);
}
