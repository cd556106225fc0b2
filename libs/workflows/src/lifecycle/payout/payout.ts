import type { TransitionResult as ResultOf, Instant, WaitPolicy } from '../lifecycle.js';
import type { Money } from '../money.js';
import {
  type OpenStep as OpenStepOf,
  type StepEffect,
  type StepEvent,
  runningStep,
} from '../step/open-step.js';
import type { DecidedReview, DecisionRefusal, ReviewEffect, ReviewEvent } from '../step/review.js';
import type { ItemTotals } from './totals.js';

/**
 * Where a batch stands. `processing`: the provider has it, and has not gone through it yet. `settling`: it has, and some
 * items are still on their way, unclaimed ones for up to 30 of its days. `completed`: every item has come to its end,
 * which need not be that it was paid. `declined`: the provider never took it.
 */
export const payoutStatuses = [
  'creating',
  'processing',
  'settling',
  'completed',
  'denied',
  'cancelled',
  'declined',
  'needs_review',
] as const;
export type PayoutStatus = (typeof payoutStatuses)[number];

const terminalStatuses: ReadonlySet<PayoutStatus> = new Set(['completed', 'denied', 'cancelled', 'declined']);

export function isTerminal(status: PayoutStatus): boolean {
  return terminalStatuses.has(status);
}

/** What was asked for, without its items: of those there may be thousands, and they live in rows. */
export interface PayoutOrder {
  /** Ours; also the provider's `sender_batch_id`, which it takes once in 30 days. */
  readonly payoutId: string;
  readonly items: number;
  /** Of all items. */
  readonly total: Money;
  readonly orderedAt: Instant;
  readonly patience: WaitPolicy;
}

/** A call to the provider that can move money. */
export type PayoutStep =
  | { readonly type: 'createPayout' }
  | {
      readonly type: 'cancelPayoutItem';
      readonly commandId: string;
      /** The order service's own id of the item. */
      readonly itemId: string;
      readonly providerItemId: string;
    };

export type OpenStep = OpenStepOf<PayoutStep>;

/** What a read shows, reduced to what the lifecycle decides on; what it shows of the items is in their rows by then. */
export interface PayoutFacts {
  /** The provider's word for where the batch stands. */
  readonly batchStatus: string;
  /** Of all items, once the last page was read; absent for a batch that has not been gone through. */
  readonly totals?: ItemTotals;
  /** There was more than one activity has time for: it goes on with this page. */
  readonly nextPage?: number;
  /** What was shown against the records, in words for an operator. */
  readonly contradiction?: string;
}

export interface PayoutState {
  readonly status: PayoutStatus;
  readonly order: PayoutOrder;
  readonly providerBatchId?: string;
  readonly totals: ItemTotals;
  readonly openStep?: OpenStep;
  readonly stepsBegun: number;
  /** Why it stands where it stands, in words for an operator. */
  readonly reason?: string;
  /** The read that events have asked for; those that come until then share it. */
  readonly readAt?: Instant;
  /**
   * A read of all items that begins from then on is owed, also after the end: more was told of an item that had come to
   * its own, and reads lag.
   */
  readonly confirmAt?: Instant;
  /** The read that is under way, or was made last, is the one that was owed. */
  readonly isConfirming?: true;
  /** Where the reading that is under way goes on. */
  readonly nextPage?: number;
  /** What the provider has shown last against what is known; recorded once. */
  readonly contradiction?: string;
  readonly polls: number;
  readonly lastPollAt: Instant;
}

/** Every fact, message and instant that can move a payout. Names are past tense: they have happened. */
export type PayoutEvent =
  | StepEvent
  | ReviewEvent
  | { readonly type: 'payoutCreated'; readonly providerBatchId: string }
  | { readonly type: 'itemCancelled'; readonly totals: ItemTotals }
  | { readonly type: 'payoutObserved'; readonly facts: PayoutFacts }
  | { readonly type: 'observationFailed' }
  | {
      readonly type: 'itemCancelRequested';
      readonly commandId: string;
      readonly itemId: string;
      readonly providerItemId: string;
    }
  | {
      readonly type: 'providerNotified';
      readonly eventType: string;
      /** It tells of an item what can come only after the end of one. */
      readonly isOfEndedItem?: true;
      /** Asked for by API: the read is made at once, and the next one comes when it would have come. */
      readonly isCheck?: true;
    }
  | { readonly type: 'pollCameDue' };
export type PayoutEventType = PayoutEvent['type'];

/** A read of the batch. All of its items are shown by its pages; those that are still open can be read one by one. */
export interface ObserveEffect {
  readonly type: 'observe';
  readonly items: 'all' | 'open';
}

export type PayoutEffect = StepEffect<PayoutStep> | ReviewEffect | ObserveEffect;

export type RefusalCode = 'not_allowed_in_state' | 'another_in_progress' | DecisionRefusal;

export type TransitionResult = ResultOf<PayoutState, PayoutEffect, RefusalCode>;

export type { DecidedReview };

/** The state of a payout that has just been ordered: its creation at the provider is the first step. */
export function orderedPayout(order: PayoutOrder): PayoutState {
  return {
    status: 'creating',
    order,
    totals: { queued: { count: order.items, minor: order.total.minor } },
    openStep: runningStep(1, { type: 'createPayout' }, order.orderedAt),
    stepsBegun: 1,
    polls: 0,
    lastPollAt: order.orderedAt,
  };
}
