import type { TransitionResult as ResultOf, Instant, WaitPolicy } from '../lifecycle.js';
import {
  type OpenStep as OpenStepOf,
  type StepEffect,
  type StepEvent,
  runningStep,
} from '../step/open-step.js';
import type { DecisionRefusal, ReviewEffect, ReviewEvent } from '../step/review.js';

/** Where a subscription stands. docs/lifecycles/subscription.md draws how one leads to another. */
export const subscriptionStatuses = [
  'creating',
  'awaiting_approval',
  'executing',
  'pending',
  'active',
  'suspending',
  'suspended',
  'reactivating',
  'cancelling',
  'needs_review',
  'cancelled',
  'expired',
  'declined',
  'lapsed',
] as const;
export type SubscriptionStatus = (typeof subscriptionStatuses)[number];

const terminalStatuses: ReadonlySet<SubscriptionStatus> = new Set([
  'cancelled',
  'expired',
  'declined',
  'lapsed',
]);

export function isTerminal(status: SubscriptionStatus): boolean {
  return terminalStatuses.has(status);
}

/** What the order service asked for: fixed for the life of the subscription. */
export interface SubscriptionOrder {
  readonly subscriptionId: string;
  /** Our id of the plan, and the provider's. */
  readonly planId: string;
  readonly providerPlanId: string;
  /** When the first cycle is due. */
  readonly startAt: Instant;
  readonly currency: string;
  readonly setupFeeMinor: number;
  readonly approvalBy: Instant;
  /**
   * No execution is begun from here on: the provider would bill every cycle of the time before at once. Absent in orders
   * that were taken before this was taken into account.
   */
  readonly executeBefore?: Instant;
  readonly patience: WaitPolicy;
}

/** How far an agreement has come, as the provider tells it. Amounts in minor units of the plan's currency. */
export interface Billing {
  /** When the provider last changed the agreement, where it tells: an older read tells nothing new. */
  readonly updatedAt?: Instant;
  /** Failed ones count, too: what they left unpaid is outstanding. */
  readonly cyclesCompleted: number;
  /** Absent where there is no end. */
  readonly cyclesRemaining?: number;
  readonly nextBillingAt?: Instant;
  readonly finalPaymentAt?: Instant;
  readonly lastPaymentAt?: Instant;
  readonly lastPaymentMinor?: number;
  readonly outstandingMinor: number;
  /** In a row: 0 after a payment. */
  readonly failedPayments: number;
}

/** What a read shows, reduced to what the lifecycle decides on. */
export interface AgreementFacts {
  readonly agreementId: string;
  /** The provider's word for where it stands: Pending, Active, Suspended, Cancelled, Expired. */
  readonly shown: string;
  readonly billing: Billing;
}

/** What the book of its payments tells once a read of the provider is in it. */
export interface BookFacts {
  /** Whether anything was ever collected, whatever went back since. */
  readonly hasPaid: boolean;
  /** When the oldest payment was begun that is still on its way; absent where none is. */
  readonly oldestPendingAt?: Instant;
  /** What has become of payments that were known before, in words. */
  readonly told?: string;
}

/** Where an agreement stands when it is asked for another state. */
export type StandingStatus = 'active' | 'suspended';

/** A change of state that a command asks for. */
export interface StateChange {
  readonly type: 'suspendAgreement' | 'reactivateAgreement' | 'cancelAgreement';
  readonly commandId: string;
  /** Why, for the provider's records. */
  readonly note: string;
  /** Where it goes back to when the provider refuses. */
  readonly from: StandingStatus;
  /** Of an attempt: when the provider had last changed the agreement before it was sent, where it tells. */
  readonly seenUpdatedAt?: Instant;
}

export type SubscriptionStep =
  { readonly type: 'createAgreement' } | { readonly type: 'executeAgreement' } | StateChange;
export type OpenStep = OpenStepOf<SubscriptionStep>;

export interface SubscriptionState {
  readonly status: SubscriptionStatus;
  readonly order: SubscriptionOrder;
  /** Stands for the agreement until it is executed; only its payer and the order service may have it. */
  readonly token?: string;
  readonly approvalUrl?: string;
  readonly agreementId?: string;
  readonly billing?: Billing;
  readonly openStep?: OpenStep;
  readonly stepsBegun: number;
  readonly reason?: string;
  /** Executions tried for a payer who has not come back: nothing else can show that he has approved. */
  readonly approvalPolls: number;
  /** The time for the approval has run out, and a last execution decides. */
  readonly lapsed: boolean;
  /** The payer came back while an execution was under way that may have begun before he approved. */
  readonly isReturnWaiting?: boolean;
  /** The payer has turned back while an execution was under way. */
  readonly isCancelWaiting?: boolean;
  /** Until here a read may still show what was before our own last change. */
  readonly readsSettleAt?: Instant;
  /** The book of its payments is to be read again, whatever the agreement shows. */
  readonly arePaymentsOwed?: boolean;
  /** A read of the book that begins from here on is owed, for reads lag; after an end it is the last one. */
  readonly confirmAt?: Instant;
  /** When the oldest payment was begun that is still on its way, by the book. */
  readonly oldestPendingAt?: Instant;
  /** True while a read that was called for has failed. */
  readonly readOwed: boolean;
  readonly polls: number;
  readonly lastPollAt: Instant;
}

/** Names are past tense: they have happened. */
export type SubscriptionEvent =
  | StepEvent
  | ReviewEvent
  // What the provider answered
  | { readonly type: 'agreementCreated'; readonly token: string; readonly approvalUrl: string }
  /** Its reply was lost, and with it the token: nobody can approve what may have been prepared. */
  | { readonly type: 'creationLost' }
  | { readonly type: 'agreementExecuted'; readonly facts: AgreementFacts }
  /** The payer has not approved: yet, or (`isOver`) in the time that the provider gave. */
  | { readonly type: 'approvalFoundMissing'; readonly isOver?: boolean }
  | { readonly type: 'agreementSuspended' }
  | { readonly type: 'agreementReactivated' }
  | { readonly type: 'agreementCancelled' }
  | {
      readonly type: 'agreementObserved';
      readonly facts: AgreementFacts;
      /** Its payments were read along, and are on record: what they show. */
      readonly book?: BookFacts;
      /** The same in histories from before it was told what they show. */
      readonly withPayments?: boolean;
    }
  | { readonly type: 'observationFailed' }
  // What people and services asked
  | { readonly type: 'payerApproved' }
  | { readonly type: 'payerCancelled' }
  | { readonly type: 'suspendRequested'; readonly commandId: string; readonly note: string }
  | { readonly type: 'reactivateRequested'; readonly commandId: string; readonly note: string }
  | { readonly type: 'cancelRequested'; readonly commandId: string; readonly note: string }
  | {
      readonly type: 'providerNotified';
      readonly eventType: string;
      /** About a payment that the agreement itself need not show: a refund, a reversal, a denial. */
      readonly isAboutPayment?: boolean;
      /** Asked for by API: the read is made at once, and the next one comes when it would have come. */
      readonly isCheck?: true;
    }
  // What the clock says
  | { readonly type: 'approvalTimedOut' }
  | { readonly type: 'renewalCameDue' }
  | { readonly type: 'pollCameDue' };
export type SubscriptionEventType = SubscriptionEvent['type'];

export type SubscriptionEffect = StepEffect<SubscriptionStep> | ReviewEffect | { readonly type: 'observe' };
export type SubscriptionRefusalCode = 'not_allowed_in_state' | DecisionRefusal;
export type SubscriptionTransitionResult = ResultOf<
  SubscriptionState,
  SubscriptionEffect,
  SubscriptionRefusalCode
>;

/** The state of a subscription that has just been ordered: the creation of its agreement is the first step. */
export function orderedSubscription(order: SubscriptionOrder, now: Instant): SubscriptionState {
  return {
    status: 'creating',
    order,
    openStep: runningStep(1, { type: 'createAgreement' }, now),
    stepsBegun: 1,
    approvalPolls: 0,
    lapsed: false,
    readOwed: false,
    polls: 0,
    lastPollAt: now,
  };
}
