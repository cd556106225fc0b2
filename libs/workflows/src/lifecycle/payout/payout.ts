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
 * The statuses of a payout. `processing`: the provider has the batch and is processing it. `settling`: it has processed
 * the batch and some items are still open, unclaimed ones for up to 30 of its days. `completed`: every item has ended,
 * paid or not. `declined`: the provider never accepted it.
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

/** The order without its items: there may be thousands, and they are in rows. */
export interface PayoutOrder {
  /** Our id; also the provider's `sender_batch_id`, which it accepts once in 30 days. */
  readonly payoutId: string;
  readonly items: number;
  /** The sum of all items. */
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
      /** The order service's id of the item. */
      readonly itemId: string;
      readonly providerItemId: string;
    };

export type OpenStep = OpenStepOf<PayoutStep>;

/** A read, reduced to the facts that the lifecycle uses. The items are already in their rows. */
export interface PayoutFacts {
  /** The provider's status of the batch. */
  readonly batchStatus: string;
  /** The totals of all items, once the last page was read; absent while the provider processes the batch. */
  readonly totals?: ItemTotals;
  /** More pages than one activity has time for: the next one continues with this page. */
  readonly nextPage?: number;
  /** A contradiction to our records, in words for an operator. */
  readonly contradiction?: string;
}

export interface PayoutState {
  readonly status: PayoutStatus;
  readonly order: PayoutOrder;
  readonly providerBatchId?: string;
  readonly totals: ItemTotals;
  readonly openStep?: OpenStep;
  readonly stepsBegun: number;
  /** Why the payout is in its state, in words for an operator. */
  readonly reason?: string;
  /** When the read for events is due; events that come before share it. */
  readonly readAt?: Instant;
  /**
   * A read of all items is due from then on, even after the end: an event reported a change of an ended item, and reads
   * lag.
   */
  readonly confirmAt?: Instant;
  /** The current or latest read is that confirming read. */
  readonly isConfirming?: true;
  /** The next page of the current read. */
  readonly nextPage?: number;
  /** The latest contradiction between the provider and our records; recorded once. */
  readonly contradiction?: string;
  readonly polls: number;
  readonly lastPollAt: Instant;
}

/** Every event of a payout: facts, messages and deadlines. Names are in the past tense. */
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
      /** It reports a change that can come only after an item's end. */
      readonly isOfEndedItem?: true;
      /** A check over the API: the read is made at once and does not change the next poll. */
      readonly isCheck?: true;
    }
  | { readonly type: 'pollCameDue' };
export type PayoutEventType = PayoutEvent['type'];

/** A read of the batch: all items by its pages, or the open items one by one. */
export interface ObserveEffect {
  readonly type: 'observe';
  readonly items: 'all' | 'open';
}

export type PayoutEffect = StepEffect<PayoutStep> | ReviewEffect | ObserveEffect;

export type RefusalCode = 'not_allowed_in_state' | 'another_in_progress' | DecisionRefusal;

export type TransitionResult = ResultOf<PayoutState, PayoutEffect, RefusalCode>;

export type { DecidedReview };

/** The first state of an ordered payout: its first step is the creation at the provider. */
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
