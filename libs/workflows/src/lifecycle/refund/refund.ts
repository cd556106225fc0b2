import type { Money } from '../money.js';
import type { Instant, Patience } from '../lifecycle.js';

/**
 * Where a refund stands. `observed`: somebody says that there is one, and it has not been read back yet. `unfounded`:
 * the provider does not show it, or shows it as somebody else's.
 */
export const refundStatuses = [
  'observed',
  'pending',
  'completed',
  'failed',
  'cancelled',
  'unfounded',
] as const;
export type RefundStatus = (typeof refundStatuses)[number];

export function isSettled(status: RefundStatus): boolean {
  return status !== 'observed' && status !== 'pending';
}

/** What collected the money that goes back. */
export interface Collected {
  readonly kind: 'capture' | 'sale';
  readonly id: string;
}

/**
 * What a run is started for. A refund is a resource of the provider's; a reversal (chargeback) is not, it only shows on
 * the capture or sale that it takes back from.
 */
export type RefundClaim =
  | { readonly kind: 'refund'; readonly providerRefundId: string }
  | { readonly kind: 'reversal'; readonly collected: Collected };

/** What a read shows, reduced to what the lifecycle decides on. */
export interface RefundFacts {
  /** The provider's word for where it stands. */
  readonly state: string;
  /** Absent for a reversal of a part: the provider does not tell of how much. */
  readonly amount?: Money;
  readonly collected: Collected & { readonly amount: Money; readonly state: string };
  /** Our payment whose money it is; absent when it is none of ours. */
  readonly paymentId?: string;
  readonly settledAt?: Instant;
}

export interface RefundState {
  readonly status: RefundStatus;
  readonly claim: RefundClaim;
  /** As the claim has it until it is read back. */
  readonly paymentId: string;
  readonly collected?: Collected;
  readonly amount?: Money;
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
  readonly patience: Pick<Patience, 'outcomeHorizonMs' | 'firstPollMs' | 'longestPollMs'>;
}

/** Names are past tense: they have happened. */
export type RefundEvent =
  | { readonly type: 'refundNotified'; readonly eventType: string }
  | { readonly type: 'pollCameDue' }
  | { readonly type: 'refundObserved'; readonly facts: RefundFacts }
  /** The provider was asked at `lookedAt` and does not show it. */
  | { readonly type: 'refundFoundMissing'; readonly lookedAt: Instant }
  | { readonly type: 'observationFailed' };
export type RefundEventType = RefundEvent['type'];

export type RefundEffect = { readonly type: 'observe' };

/** How an event was taken: it changed the state, told nothing new, or contradicts the records. */
export type RefundDecision =
  | { readonly kind: 'moved'; readonly state: RefundState; readonly effect?: RefundEffect }
  | { readonly kind: 'stale'; readonly state: RefundState }
  | { readonly kind: 'conflict'; readonly state: RefundState; readonly reason: string };

export function observedRefund(
  claim: RefundClaim,
  paymentId: string,
  { outcomeHorizonMs, firstPollMs, longestPollMs }: RefundState['patience'],
  now: Instant,
): RefundState {
  return {
    status: 'observed',
    claim,
    paymentId,
    startedAt: now,
    polls: 0,
    patience: { outcomeHorizonMs, firstPollMs, longestPollMs },
  };
}
