import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import type {
  DecidedReview,
  Instant,
  PaymentEvent,
  PaymentOrder,
  PaymentState,
  PaymentStatus,
} from './lifecycle/payment.js';
import type { Money } from './lifecycle/money.js';
import type { RefundClaim, RefundEvent, RefundState, RefundStatus } from './lifecycle/refund/refund.js';
import type { TimelineEntry } from './lifecycle/timeline.js';

/** Everything that API, worker and workflows must agree on: names, ids, messages, activity interfaces. Plain types. */

/** Names a payment among environments and applications; carries names only, never a secret. */
export interface PaymentIdentity {
  readonly environment: string;
  readonly application: string;
  readonly paymentId: string;
}

export interface PaymentRunInput {
  readonly identity: PaymentIdentity;
  readonly order: PaymentOrder;
  readonly purchase: Purchase;
  /** Set when the run continues as new. */
  readonly continued?: ContinuedRun;
  /** Messages after which the run continues as new; the server's own suggestion counts as well. */
  readonly messagesPerRun: number;
}

/** What the provider is told about the purchase, besides the amount. */
export interface Purchase {
  readonly orderId: string;
  readonly description?: string;
  /** Account that receives the funds (specification 2.1 payee.email); the application's owner when absent. */
  readonly payeeEmail?: string;
  /** A payee was named, and went with the run that knew it: then nothing may be created any more. */
  readonly isPayeeLost?: boolean;
  /** Where the provider sends the payer back to: the API's payer routes. */
  readonly returnUrl: string;
  readonly cancelUrl: string;
}

export interface ContinuedRun {
  readonly state: PaymentState;
  readonly version: number;
  readonly seen: readonly string[];
  readonly waiting: readonly (PaymentMessage | DecisionMessage)[];
}

/** A message to a run. The id makes a repeated delivery harmless: event id, command id, or the payer's return. */
export interface PaymentMessage {
  readonly id: string;
  readonly event: RunEvent;
}

export type RunEvent = Extract<
  PaymentEvent,
  { type: 'payerApproved' | 'payerCancelled' | 'captureRequested' | 'voidRequested' | 'providerNotified' }
>;

/** An operator's decision about a payment under review; the id is its command's. */
export interface DecisionMessage {
  readonly id: string;
  readonly event: Extract<PaymentEvent, { type: 'reviewDecided' }>;
}

/**
 * Refused with a reason, at once, by a run that is not under review or cannot be decided in this way; the failure's
 * type is the refusal's code. Once it is taken, what comes of it is in the rows: the command's and the payment's.
 */
export const decideReviewUpdate = defineUpdate<void, [DecisionMessage]>('decideReview');

export const paymentWorkflowType = 'paymentWorkflow';

/** One signal per thing that happens to a payment, so that the history reads like its story. */
export const paymentSignals = {
  payerApproved: defineSignal<[PaymentMessage]>('payerApproved'),
  payerCancelled: defineSignal<[PaymentMessage]>('payerCancelled'),
  captureRequested: defineSignal<[PaymentMessage]>('captureRequested'),
  voidRequested: defineSignal<[PaymentMessage]>('voidRequested'),
  providerNotified: defineSignal<[PaymentMessage]>('providerNotified'),
} as const satisfies Record<RunEvent['type'], unknown>;

/** How a run ended; amounts in minor units of the currency. */
export interface PaymentOutcome {
  readonly status: PaymentStatus;
  readonly currency: string;
  readonly authorized: number;
  readonly captured: number;
}

export interface PaymentSnapshot {
  readonly state: PaymentState;
  readonly version: number;
  readonly waitingMessages: number;
  readonly nextDeadline?: { readonly at: Instant; readonly event: string };
}
export const snapshotQuery = defineQuery<PaymentSnapshot>('snapshot');

/** Ids are never encrypted: no personal datum in them. */
export function paymentWorkflowId({ environment, application, paymentId }: PaymentIdentity): string {
  return `payment/${environment}/${application}/${paymentId}`;
}

/** The command that ordered a payment; the others have ids of their own. */
export function orderCommandId(paymentId: string): string {
  return `${paymentId}:order`;
}

/** Set at the start of a run and never after, so that they cost no event. Never encrypted: no e-mail in them. */
export const searchAttributes = {
  environment: defineSearchAttributeKey('Environment', SearchAttributeType.KEYWORD),
  application: defineSearchAttributeKey('Application', SearchAttributeType.KEYWORD),
  orderId: defineSearchAttributeKey('OrderId', SearchAttributeType.KEYWORD),
  intent: defineSearchAttributeKey('Intent', SearchAttributeType.KEYWORD),
} as const;

/** What each activity gets: where the payment stands, and what happened since the rows were last written. */
export interface StepInput {
  readonly identity: PaymentIdentity;
  readonly state: PaymentState;
  readonly version: number;
  /** Not yet in the rows. */
  readonly timeline: readonly TimelineEntry[];
}

/** What an activity found out; the run decides on it exactly as the activity did when it wrote the rows. */
export interface StepOutcome {
  readonly event: PaymentEvent;
  readonly at: Instant;
}

/** Activities of a payment's run. Each writes its rows itself, so that a transition costs one activity. */
export interface PaymentActivities {
  createPayment(input: StepInput, purchase: Purchase): Promise<StepOutcome>;
  executePayment(input: StepInput): Promise<StepOutcome>;
  captureAuthorization(input: StepInput): Promise<StepOutcome>;
  voidAuthorization(input: StepInput): Promise<StepOutcome>;
  /** Looks up whether an open step's POST was carried out. */
  lookUpOutcome(input: StepInput): Promise<StepOutcome>;
  /** Reads the payment with its authorization and captures. */
  observePayment(input: StepInput): Promise<StepOutcome>;
  /** Holds an operator's decision against what the provider shows, before it is believed. */
  verifyDecision(input: StepInput, decided: DecidedReview): Promise<StepOutcome>;
  /** Writes a transition that needed no call to the provider. */
  recordTransition(input: StepInput): Promise<void>;
}

/** Names a refund among environments and applications. */
export interface RefundIdentity {
  readonly environment: string;
  readonly application: string;
  /**
   * Of a refund made elsewhere, the provider's own id of it, so that whoever tells of it starts the same run; of a
   * reversal, which has none, the id of the event that told of it.
   */
  readonly refundId: string;
}

export interface RefundRunInput {
  readonly identity: RefundIdentity;
  /** What is to be read back; nothing of it is believed before. */
  readonly claim: RefundClaim;
  /** Our payment whose money it is said to be. */
  readonly paymentId: string;
  readonly patience: RefundState['patience'];
  /** Set when the run continues as new. */
  readonly continued?: {
    readonly state: RefundState;
    readonly version: number;
    readonly seen: readonly string[];
    readonly waiting: readonly RefundMessage[];
  };
  /** Looks after which the run continues as new; the server's own suggestion counts as well. */
  readonly looksPerRun: number;
}

/** A message to a refund's run; the id makes a repeated delivery harmless. */
export interface RefundMessage {
  readonly id: string;
  readonly event: Extract<RefundEvent, { type: 'refundNotified' }>;
}

export const refundWorkflowType = 'refundWorkflow';

export const refundNotifiedSignal = defineSignal<[RefundMessage]>('refundNotified');

export interface RefundSnapshot {
  readonly state: RefundState;
  readonly version: number;
  readonly nextLookAt?: Instant;
}
export const refundSnapshotQuery = defineQuery<RefundSnapshot>('snapshot');

/** How a refund's run ended. */
export interface RefundOutcome {
  readonly status: RefundStatus;
  readonly amount?: Money;
}

export function refundWorkflowId({ environment, application, refundId }: RefundIdentity): string {
  return `refund/${environment}/${application}/${refundId}`;
}

export interface RefundStepInput {
  readonly identity: RefundIdentity;
  readonly state: RefundState;
  readonly version: number;
}

export interface RefundStepOutcome {
  readonly event: RefundEvent;
  readonly at: Instant;
}

/** Activities of a refund's run. Each writes its rows itself, so that a transition costs one activity. */
export interface RefundActivities {
  /** Reads the refund, and the capture or sale that it gives back from. */
  observeRefund(input: RefundStepInput): Promise<RefundStepOutcome>;
}
