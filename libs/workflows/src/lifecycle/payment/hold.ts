import type { Instant } from '../lifecycle.js';

/** Funds that the provider holds (specification 2.4). */
export interface Authorization {
  readonly authorizationId: string;
  readonly minor: number;
  readonly createdAt: Instant;
  /** The capture window's end as the provider states it (2.4 valid_until). */
  readonly validUntil: Instant;
  /** Set once the funds were reauthorized, with the same or another id. */
  readonly renewal?: Reauthorization;
}

export interface Reauthorization {
  /** The start of the new honour period, by the provider's clock. */
  readonly heldAt: Instant;
  /**
   * The length of the provider's day in milliseconds. It cannot be derived from the window, which an earlier hold
   * opened.
   */
  readonly dayLengthMs: number;
}

/** What to do in the honour period, in which the funds are guaranteed (specification 8: 3 days). */
export interface HonourPolicy {
  /** Within it: `warn` before and at its end, also `capture` in time, or neither. */
  readonly action: 'warn' | 'capture' | 'none';
  /** At its end: reauthorize the funds, once or as often as the provider allows, or not. */
  readonly reauthorize: 'none' | 'once' | 'as_allowed';
}

/** The default, also for orders from before this policy existed. */
export const usualHonourPolicy: HonourPolicy = { action: 'warn', reauthorize: 'none' };

/** The reported stage of the honour period. */
export type HonourStage = 'running' | 'ending' | 'ended';

/** The progress of reauthorizations. */
export interface Reauthorizations {
  /** The replaced holds, oldest first: one per reauthorization. */
  readonly earlier: readonly { readonly authorizationId: string; readonly minor: number }[];
  /** All tries by the policy; the number names the next one. */
  readonly tries: number;
  /** Failed tries by the policy since the last reauthorization. */
  readonly failures: number;
  /** The policy does not try again before this instant. */
  readonly notBefore?: Instant;
  /** The provider's refusal was final: the policy does not try again. */
  readonly isOver?: boolean;
  /** The most that may be captured in total, in minor units, if a reauthorization asked for more than was ordered. */
  readonly limit?: number;
}

export type HoldEvent =
  | {
      readonly type: 'authorizationRenewed';
      readonly authorization: Authorization;
      readonly heldAt: Instant;
      /** A read must follow: the lookup shows that the hold had already ended, or captures that the run does not know. */
      readonly isEnded?: boolean;
    }
  | { readonly type: 'reauthorizationTooSoon'; readonly reason: string }
  | {
      readonly type: 'reauthorizeRequested';
      readonly commandId: string;
      /**
       * The amount to hold besides what was captured, in minor units. Default: everything that can still be captured.
       */
      readonly minor?: number;
    }
  | { readonly type: 'releaseRequested'; readonly commandId: string }
  | { readonly type: 'honourCaptureCameDue' }
  | { readonly type: 'reauthorizationCameDue' };

export interface ReauthorizeStep {
  readonly type: 'reauthorizeAuthorization';
  readonly commandId: string;
  readonly minor: number;
  /** When the hold last changed, read before the POST. The rows of attempt and payment have it; a run does not. */
  readonly seenUpdatedAt?: Instant;
}
