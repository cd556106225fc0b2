import { defineQuery, defineSignal } from '@temporalio/workflow';
import type {
  SubscriptionEvent,
  SubscriptionOrder,
  SubscriptionState,
  SubscriptionStatus,
} from '../lifecycle/subscription/subscription.js';
import type { DecidedReview } from '../lifecycle/step/review.js';
import type { LookHint } from '../lifecycle/step/open-step.js';
import type { StepDecisionMessage } from './review.js';
import type { Position } from '../lifecycle/progress.js';
import type {
  ActivityInput,
  AfterEndInput,
  RecordOutcome,
  RunMessage,
  RunSnapshot,
  StepResult,
} from './run.js';
import type { Subject } from './subject.js';

/** Names a subscription, its environment and its application. */
export interface SubscriptionIdentity {
  readonly environment: string;
  readonly application: string;
  readonly subscriptionId: string;
}

/** What the provider and the payer get, besides the plan. */
export interface Offer {
  /** 1 to 128 characters each. */
  readonly name: string;
  readonly description: string;
  /** The payer's return address: a route of the API. A lost execution is found by it. */
  readonly returnUrl: string;
  readonly cancelUrl: string;
  /** Personal: it is in the run's encrypted input and at the provider, and in no row. */
  readonly shippingAddress?: PostalAddress;
}

/** Specification 2.6, shipping_address; each at most as long as the provider takes it. */
export interface PostalAddress {
  readonly line1: string;
  readonly line2?: string | undefined;
  readonly city?: string | undefined;
  /** State, province or region. */
  readonly state?: string | undefined;
  readonly postalCode?: string | undefined;
  /** Two letters (ISO 3166-1). */
  readonly countryCode: string;
}

export interface SubscriptionRunInput extends AfterEndInput<
  SubscriptionState,
  SubscriptionMessage | StepDecisionMessage
> {
  readonly identity: SubscriptionIdentity;
  readonly order: SubscriptionOrder;
  /** Absent for a run that only reads after the end. */
  readonly offer?: Offer;
  /** The number of messages after which the run continues as new. It also does so when the server suggests it. */
  readonly messagesPerRun: number;
}

export type SubscriptionRunEvent = Extract<
  SubscriptionEvent,
  {
    type:
      | 'payerApproved'
      | 'payerCancelled'
      | 'suspendRequested'
      | 'reactivateRequested'
      | 'cancelRequested'
      | 'billBalanceRequested'
      | 'setBalanceRequested'
      | 'providerNotified';
  }
>;
export type SubscriptionMessage = RunMessage<SubscriptionRunEvent>;

export const subscriptionWorkflowType = 'subscriptionWorkflow';

/** One signal per kind of event, so that the history reads like the timeline. */
export const subscriptionSignals = {
  payerApproved: defineSignal<[SubscriptionMessage]>('payerApproved'),
  payerCancelled: defineSignal<[SubscriptionMessage]>('payerCancelled'),
  suspendRequested: defineSignal<[SubscriptionMessage]>('suspendRequested'),
  reactivateRequested: defineSignal<[SubscriptionMessage]>('reactivateRequested'),
  cancelRequested: defineSignal<[SubscriptionMessage]>('cancelRequested'),
  providerNotified: defineSignal<[SubscriptionMessage]>('providerNotified'),
  billBalanceRequested: defineSignal<[SubscriptionMessage]>('billBalanceRequested'),
  setBalanceRequested: defineSignal<[SubscriptionMessage]>('setBalanceRequested'),
} as const satisfies Record<SubscriptionRunEvent['type'], unknown>;

export type SubscriptionSnapshot = RunSnapshot<SubscriptionState>;
export const subscriptionSnapshotQuery = defineQuery<SubscriptionSnapshot>('snapshot');

/** How a run ended. */
export interface SubscriptionOutcome {
  readonly status: SubscriptionStatus;
  readonly cyclesCompleted: number;
}

export function subscriptionSubject({
  environment,
  application,
  subscriptionId,
}: SubscriptionIdentity): Subject {
  return { environment, application, id: subscriptionId };
}

/** The command that ordered a subscription; the others have ids of their own. */
export function subscriptionCommandId(subscriptionId: string): string {
  return `${subscriptionId}:order`;
}

/** The input of each activity: the subscription's state, and the timeline since the rows were last written. */
export type SubscriptionStepInput = ActivityInput<SubscriptionIdentity, SubscriptionState>;

export type SubscriptionStepOutcome = StepResult<SubscriptionState, SubscriptionEvent>;

/** Activities of a subscription's run. Each writes its rows itself, so that a transition costs one activity. */
export interface SubscriptionActivities {
  /** Reads the state of an ended subscription from its rows. */
  findEndedSubscription(identity: SubscriptionIdentity): Promise<Position<SubscriptionState>>;
  createAgreement(input: SubscriptionStepInput, offer: Offer): Promise<SubscriptionStepOutcome>;
  executeAgreement(input: SubscriptionStepInput, offer: Offer): Promise<SubscriptionStepOutcome>;
  /** Suspends, reactivates or cancels the agreement, depending on the open step. */
  changeAgreement(input: SubscriptionStepInput): Promise<SubscriptionStepOutcome>;
  /** Collects what is outstanding, or a part of it. */
  billBalance(input: SubscriptionStepInput): Promise<SubscriptionStepOutcome>;
  /** Forgives what is outstanding above a balance. */
  setBalance(input: SubscriptionStepInput): Promise<SubscriptionStepOutcome>;
  /** Looks up whether an open step's POST was carried out. */
  lookUpAgreement(
    input: SubscriptionStepInput,
    offer: Offer,
    hint?: LookHint,
  ): Promise<SubscriptionStepOutcome>;
  /** Reads the agreement, and its payments if they may have changed. */
  observeAgreement(input: SubscriptionStepInput): Promise<SubscriptionStepOutcome>;
  /** Checks an operator's decision against the provider before it takes effect. */
  verifySubscriptionDecision(
    input: SubscriptionStepInput,
    offer: Offer,
    decided: DecidedReview,
  ): Promise<SubscriptionStepOutcome>;
  /** Writes a transition that needed no call to the provider. */
  recordSubscription(input: SubscriptionStepInput): Promise<RecordOutcome<SubscriptionState>>;
}
