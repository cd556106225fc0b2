import type { TransitionResult as ResultOf, Instant, WaitPolicy } from '../lifecycle.js';
import {
  type OpenStep as OpenStepOf,
  type StepEffect,
  type StepEvent,
  runningStep,
} from '../step/open-step.js';
import type { DecisionRefusal, ReviewEffect, ReviewEvent } from '../step/review.js';
import type { SubscriptionStep } from './step.js';

export type {
  BalanceBilling,
  BalanceSetting,
  ChangeableStatus,
  SeenBalance,
  StateChange,
  SubscriptionStep,
} from './step.js';

/** The statuses of a subscription. docs/lifecycles/subscription.md shows the transitions. */
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
  'billing_balance',
  'setting_balance',
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

/** The order, which never changes. */
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
   * No execution is sent from this instant on: the provider would bill all past cycles at once. Absent in older orders.
   */
  readonly executeBefore?: Instant;
  /**
   * The execution's activity decides whether it is too late, because it knows of executions whose workflow task was
   * lost. Absent in older orders, whose runs use only the clock.
   */
  readonly provesLapse?: true;
  /**
   * True if an execution that is put off can be cancelled on request, and what the payer says is kept during the review of
   * one. Absent in older orders.
   */
  readonly endsUnsent?: true;
  /** The order named one, which only the run's own input holds: without it no agreement is created. */
  readonly hasShippingAddress?: true;
  readonly patience: WaitPolicy;
}

/** The progress of an agreement, as the provider shows it. Amounts in minor units of the plan's currency. */
export interface Billing {
  /** When the provider last changed the agreement, if shown: an older read has no news. */
  readonly updatedAt?: Instant;
  /** Failed cycles count too; their unpaid amount is outstanding. */
  readonly cyclesCompleted: number;
  /** Absent if there is no end. */
  readonly cyclesRemaining?: number;
  readonly nextBillingAt?: Instant;
  readonly finalPaymentAt?: Instant;
  readonly lastPaymentAt?: Instant;
  readonly lastPaymentMinor?: number;
  readonly outstandingMinor: number;
  /** Consecutive failed payments; 0 after a successful one. */
  readonly failedPayments: number;
}

/** A read, reduced to the facts that the lifecycle uses. */
export interface AgreementFacts {
  readonly agreementId: string;
  /** The provider's state: Pending, Active, Suspended, Cancelled, Expired. */
  readonly shown: string;
  readonly billing: Billing;
}

/** What the recorded payments show after a read was written. */
export interface BookFacts {
  /** Whether anything was ever collected, before refunds and chargebacks. */
  readonly hasPaid: boolean;
  /** When the oldest pending payment began; absent if none is pending. */
  readonly oldestPendingAt?: Instant;
  /** The changes of known payments, in words. */
  readonly told?: string;
}

export type OpenStep = OpenStepOf<SubscriptionStep>;

export interface SubscriptionState {
  readonly status: SubscriptionStatus;
  readonly order: SubscriptionOrder;
  /** Identifies the agreement until it is executed. Only the payer and the order service may have it. */
  readonly token?: string;
  readonly approvalUrl?: string;
  readonly agreementId?: string;
  readonly billing?: Billing;
  readonly openStep?: OpenStep;
  readonly stepsBegun: number;
  readonly reason?: string;
  /** The number of executions tried for a payer who has not returned: nothing else can show an approval. */
  readonly approvalPolls: number;
  /** The time for approval is over, and a last execution decides. */
  readonly lapsed: boolean;
  /** The payer returned during an execution that may have begun before the approval. */
  readonly isReturnWaiting?: boolean;
  /** The payer cancelled during an execution. */
  readonly isCancelWaiting?: boolean;
  /** Until then a read may still show the state before our last change. */
  readonly readsSettleAt?: Instant;
  /** Until then a read may not show our last change of the balance yet, so no other one is sent. */
  readonly balanceSettlesAt?: Instant;
  /** A read of the payments is due, whatever the agreement shows. */
  readonly arePaymentsOwed?: boolean;
  /** A confirming read of the payments is due from then on, because reads lag; after an end it is the last one. */
  readonly confirmAt?: Instant;
  /** When the oldest pending recorded payment began. */
  readonly oldestPendingAt?: Instant;
  /** True after a requested read has failed: the read is still due. */
  readonly readOwed: boolean;
  readonly polls: number;
  readonly lastPollAt: Instant;
}

/** The events of a subscription. Names are in the past tense. */
export type SubscriptionEvent =
  | StepEvent
  | ReviewEvent
  // What the provider answered
  | { readonly type: 'agreementCreated'; readonly token: string; readonly approvalUrl: string }
  /** The reply was lost, and the token with it: nobody can approve the agreement that may exist. */
  | { readonly type: 'creationLost' }
  | { readonly type: 'agreementExecuted'; readonly facts: AgreementFacts }
  /** The payer has not approved yet, or (`isOver`) not within the provider's time. */
  | {
      readonly type: 'approvalFoundMissing';
      readonly isOver?: boolean;
      /** The cancellation that was remembered is not in the rows: no payer has asked for it. */
      readonly isCancelUnfounded?: true;
    }
  | { readonly type: 'agreementSuspended' }
  | { readonly type: 'agreementReactivated' }
  | { readonly type: 'agreementCancelled' }
  | { readonly type: 'balanceBilled' }
  | { readonly type: 'balanceSet' }
  | {
      readonly type: 'agreementObserved';
      readonly facts: AgreementFacts;
      /** The payments were read, too, and are recorded: what they show. */
      readonly book?: BookFacts;
      /** The payments may lack what the agreement shows: they are read again. Absent in older histories. */
      readonly mayLackPayments?: true;
      /** The same in older histories, without what the payments show. */
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
      readonly type: 'billBalanceRequested';
      readonly commandId: string;
      readonly note: string;
      /** Absent: everything that is outstanding. */
      readonly minor?: number;
    }
  | {
      readonly type: 'setBalanceRequested';
      readonly commandId: string;
      readonly note: string;
      readonly minor: number;
    }
  | {
      readonly type: 'providerNotified';
      readonly eventType: string;
      /** The event is about a refund, reversal or denial, which the agreement itself may not show. */
      readonly isAboutPayment?: boolean;
      /** A check over the API: the read is made at once and does not change the next poll. */
      readonly isCheck?: true;
    }
  // What the clock says
  | { readonly type: 'approvalTimedOut' }
  | { readonly type: 'renewalCameDue' }
  | { readonly type: 'pollCameDue' };
export type SubscriptionEventType = SubscriptionEvent['type'];

export type SubscriptionEffect = StepEffect<SubscriptionStep> | ReviewEffect | { readonly type: 'observe' };
export type SubscriptionRefusalCode =
  | 'not_allowed_in_state'
  | 'nothing_outstanding'
  | 'amount_exceeds_outstanding'
  | 'balance_not_lower'
  | DecisionRefusal;
export type SubscriptionTransitionResult = ResultOf<
  SubscriptionState,
  SubscriptionEffect,
  SubscriptionRefusalCode
>;

/** The first state of an ordered subscription: its first step is the creation of the agreement. */
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
