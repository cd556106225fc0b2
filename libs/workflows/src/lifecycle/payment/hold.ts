import type { Instant } from '../lifecycle.js';

/** Funds that the provider holds (specification 2.4). */
export interface Authorization {
  readonly authorizationId: string;
  readonly minor: number;
  readonly createdAt: Instant;
  /** The capture window's end as the provider states it (2.4 valid_until). */
  readonly validUntil: Instant;
  /** Set once the funds were reauthorized, under whichever id. */
  readonly renewal?: Renewal;
}

export interface Renewal {
  /** A new honour period counts from here, by the provider's clock. */
  readonly heldAt: Instant;
  /** Of the provider, in milliseconds: the window does not tell it any more, for it was opened by an earlier hold. */
  readonly dayLengthMs: number;
}

/** What is done about the period in which the funds are guaranteed (specification 8: 3 days). */
export interface HonourPolicy {
  /** Within it: warn before its end and at it, capture in time besides, or neither. */
  readonly action: 'warn' | 'capture' | 'none';
  /** At its end: reauthorize the funds, once or as often as the provider allows, or not. */
  readonly reauthorize: 'none' | 'once' | 'as_allowed';
}

/** Of orders that say nothing of it, those from before there was such a policy among them. */
export const usualHonourPolicy: HonourPolicy = { action: 'warn', reauthorize: 'none' };

/** How far the honour period has come, as far as it was told. */
export type HonourStage = 'running' | 'ending' | 'ended';

/** What has become of attempts to reauthorize the funds. */
export interface Reauthorizations {
  /** The holds that stood before, oldest first: one more for each reauthorization. */
  readonly earlier: readonly { readonly authorizationId: string; readonly minor: number }[];
  /** By the policy, ever: names the next one. */
  readonly tries: number;
  /** By the policy, since the funds were last held. */
  readonly failures: number;
  /** The policy does not try again before. */
  readonly notBefore?: Instant;
  /** The provider's refusal was final: the policy does not try again. */
  readonly isOver?: boolean;
  /** The most that may be captured in all, in minor units, where a reauthorization has asked for more than was ordered. */
  readonly limit?: number;
}

export type HoldEvent =
  | {
      readonly type: 'authorizationRenewed';
      readonly authorization: Authorization;
      readonly heldAt: Instant;
      /** By the time that it was looked up somebody else or the clock had ended it. */
      readonly isEnded?: boolean;
    }
  | { readonly type: 'reauthorizationTooSoon'; readonly reason: string }
  | {
      readonly type: 'reauthorizeRequested';
      readonly commandId: string;
      /** What shall be held besides what was captured, in minor units; all that can still be captured when absent. */
      readonly minor?: number;
    }
  | { readonly type: 'releaseRequested'; readonly commandId: string }
  | { readonly type: 'honourCaptureCameDue' }
  | { readonly type: 'reauthorizationCameDue' };

export interface ReauthorizeStep {
  readonly type: 'reauthorizeAuthorization';
  readonly commandId: string;
  readonly minor: number;
  /** When the hold was last changed, by a look before the POST. Attempt and payment rows have it; a run does not. */
  readonly seenUpdatedAt?: Instant;
}
