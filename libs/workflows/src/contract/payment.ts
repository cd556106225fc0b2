import { defineQuery, defineSignal } from '@temporalio/workflow';
import type {
  DecidedReview,
  PaymentOrder,
  PaymentState,
  PaymentStatus,
  ReviewDecision,
} from '../lifecycle/payment/payment.js';
import type { PaymentEvent } from '../lifecycle/payment/event.js';
import type { LookHint } from '../lifecycle/step/open-step.js';
import type { DecisionMessage } from './review.js';
import {
  type ActivityInput,
  type Continued,
  type RecordOutcome,
  type RunSnapshot,
  type StepResult,
  type TimedInput,
  workflowIdOf,
} from './run.js';
import type { Subject } from './subject.js';

/** Names a payment, its environment and its application. Contains no secret. */
export interface PaymentIdentity {
  readonly environment: string;
  readonly application: string;
  readonly paymentId: string;
}

export interface PaymentRunInput extends TimedInput {
  readonly identity: PaymentIdentity;
  readonly order: PaymentOrder;
  readonly purchase: Purchase;
  /** Set when the run continues as new. */
  readonly continued?: ContinuedRun;
  /** The number of messages after which the run continues as new. It also does so when the server suggests it. */
  readonly messagesPerRun: number;
}

/** What the provider gets about the purchase, besides the amount. */
export interface Purchase {
  readonly orderId: string;
  readonly description?: string;
  /** Account that receives the funds (specification 2.1 payee.email); the application's owner when absent. */
  readonly payeeEmail?: string;
  /** The order named a payee, which was lost with the run that knew it: then nothing may be created. */
  readonly isPayeeLost?: boolean;
  /** The payer's return address: a route of the API. */
  readonly returnUrl: string;
  readonly cancelUrl: string;
}

export type ContinuedRun = Continued<PaymentState, PaymentMessage | PaymentDecision>;

/** A message to a run. The id (event id, command id, or the payer's return) makes a repeated message harmless. */
export interface PaymentMessage {
  readonly id: string;
  readonly event: RunEvent;
}

export type RunEvent = Extract<
  PaymentEvent,
  {
    type:
      | 'payerApproved'
      | 'payerCancelled'
      | 'captureRequested'
      | 'voidRequested'
      | 'releaseRequested'
      | 'reauthorizeRequested'
      | 'cancelRequested'
      | 'providerNotified';
  }
>;

/** An operator's decision about a payment under review; the id is its command's. */
export type PaymentDecision = DecisionMessage<ReviewDecision>;

export const paymentWorkflowType = 'paymentWorkflow';

/** One signal per kind of event, so that the history reads like the timeline. */
export const paymentSignals = {
  payerApproved: defineSignal<[PaymentMessage]>('payerApproved'),
  payerCancelled: defineSignal<[PaymentMessage]>('payerCancelled'),
  captureRequested: defineSignal<[PaymentMessage]>('captureRequested'),
  voidRequested: defineSignal<[PaymentMessage]>('voidRequested'),
  releaseRequested: defineSignal<[PaymentMessage]>('releaseRequested'),
  reauthorizeRequested: defineSignal<[PaymentMessage]>('reauthorizeRequested'),
  providerNotified: defineSignal<[PaymentMessage]>('providerNotified'),
  cancelRequested: defineSignal<[PaymentMessage]>('cancelRequested'),
} as const satisfies Record<RunEvent['type'], unknown>;

/** How a run ended; amounts in minor units of the currency. */
export interface PaymentOutcome {
  readonly status: PaymentStatus;
  readonly currency: string;
  readonly authorized: number;
  readonly captured: number;
}

export type PaymentSnapshot = RunSnapshot<PaymentState>;
export const snapshotQuery = defineQuery<PaymentSnapshot>('snapshot');

export function paymentSubject({ environment, application, paymentId }: PaymentIdentity): Subject {
  return { environment, application, id: paymentId };
}

export function paymentWorkflowId(identity: PaymentIdentity): string {
  return workflowIdOf(paymentSubject(identity));
}

/** The command that ordered a payment; the others have ids of their own. */
export function orderCommandId(paymentId: string): string {
  return `${paymentId}:order`;
}

/** The input of each activity: the payment's state, and the timeline since the rows were last written. */
export type StepInput = ActivityInput<PaymentIdentity, PaymentState>;

export type StepOutcome = StepResult<PaymentState, PaymentEvent>;

/** Activities of a payment's run. Each writes its rows itself, so that a transition costs one activity. */
export interface PaymentActivities {
  createPayment(input: StepInput, purchase: Purchase): Promise<StepOutcome>;
  executePayment(input: StepInput): Promise<StepOutcome>;
  captureAuthorization(input: StepInput): Promise<StepOutcome>;
  voidAuthorization(input: StepInput): Promise<StepOutcome>;
  reauthorizeAuthorization(input: StepInput): Promise<StepOutcome>;
  /** Looks up whether an open step's POST was carried out. */
  lookUpOutcome(input: StepInput, hint?: LookHint): Promise<StepOutcome>;
  /** Reads the payment with its authorization and captures. */
  observePayment(input: StepInput): Promise<StepOutcome>;
  /** Checks an operator's decision against the provider before it takes effect. */
  verifyDecision(input: StepInput, decided: DecidedReview): Promise<StepOutcome>;
  /** Writes a transition that needed no call to the provider. */
  recordTransition(input: StepInput): Promise<RecordOutcome<PaymentState>>;
}
