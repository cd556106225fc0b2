import type { TransitionResult as ResultOf } from '../lifecycle.js';
import type { StepEffect, StepEvent } from '../step/open-step.js';
import type { DecisionRefusal, ReviewEffect, ReviewEvent } from '../step/review.js';
import type { Authorization, HoldEvent } from './hold.js';
import type {
  Capture,
  EndedHold,
  MoneyStep,
  PaymentState,
  ProviderFacts,
  ReviewDecision,
  Sale,
} from './payment.js';

/** Every event of a payment: facts, messages and deadlines. Names are in the past tense. */
export type PaymentEvent =
  | StepEvent
  | HoldEvent
  | ReviewEvent<ReviewDecision>
  // What the provider answered
  | {
      readonly type: 'paymentCreated';
      readonly providerPaymentId: string;
      readonly approvalUrl: string;
      readonly approvalToken?: string;
    }
  | {
      readonly type: 'authorizationGranted';
      readonly providerPaymentId: string;
      readonly authorization: Authorization;
      /** What others have captured of it by then; absent if that is nothing, and in older histories. */
      readonly captures?: readonly Capture[];
      /** The funds were held, but the hold had already ended when it was looked up. */
      readonly ended?: EndedHold;
    }
  | { readonly type: 'saleAnswered'; readonly providerPaymentId: string; readonly sale: Sale }
  | { readonly type: 'approvalFoundMissing' }
  | {
      readonly type: 'captureAnswered';
      readonly capture: Capture;
      /** If it ends the hold: all captures that the provider shows by then, including those made elsewhere. */
      readonly shown?: ProviderFacts['captures'];
    }
  | {
      readonly type: 'voidConfirmed';
      /** The captures made before. Absent in results of older versions, and on an operator's word. */
      readonly shown?: ProviderFacts['captures'];
    }
  | { readonly type: 'providerObserved'; readonly facts: ProviderFacts }
  | { readonly type: 'observationFailed' }
  // What people and services asked
  | { readonly type: 'payerApproved'; readonly payerId: string }
  | { readonly type: 'payerCancelled' }
  | {
      readonly type: 'captureRequested';
      readonly commandId: string;
      readonly minor?: number;
      readonly final?: boolean;
    }
  | { readonly type: 'voidRequested'; readonly commandId: string }
  | { readonly type: 'cancelRequested'; readonly commandId: string }
  | {
      readonly type: 'providerNotified';
      readonly eventType: string;
      /** The provider's id of the resource, if it can prove the step's unknown outcome. */
      readonly resourceId?: string;
      /** A check over the API: the read is made at once and does not change the next poll. */
      readonly isCheck?: true;
      /** The event is news that a lagging read may not show: the read is repeated later. Absent in older messages. */
      readonly isNews?: true;
    }
  // What the clock says
  | { readonly type: 'approvalTimedOut' }
  | { readonly type: 'captureCameDue' }
  | { readonly type: 'honourPeriodNearedEnd' }
  | { readonly type: 'honourPeriodEnded' }
  | { readonly type: 'captureWindowNearedEnd' }
  | { readonly type: 'settlementCameDue' }
  | { readonly type: 'authorizationLapsed' }
  | { readonly type: 'pollCameDue' };

export type PaymentEventType = PaymentEvent['type'];

/** What the run must do next. */
export type Effect = StepEffect<MoneyStep> | ReviewEffect<ReviewDecision> | { readonly type: 'observe' };

export type RefusalCode =
  | 'not_allowed_in_state'
  | 'amount_exceeds_capturable'
  | 'amount_exceeds_reauthorizable'
  | 'reauthorization_too_soon'
  | 'provider_refused'
  | DecisionRefusal;

export type TransitionResult = ResultOf<PaymentState, Effect, RefusalCode>;
