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

/** Every fact, message and instant that can move a payment. Names are past tense: they have happened. */
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
      /** It was held, and by the time that it was looked up somebody else or the clock had ended it. */
      readonly ended?: EndedHold;
    }
  | { readonly type: 'saleAnswered'; readonly providerPaymentId: string; readonly sale: Sale }
  | { readonly type: 'approvalFoundMissing' }
  | { readonly type: 'captureAnswered'; readonly capture: Capture }
  | { readonly type: 'voidConfirmed' }
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
      /** The provider's id of what is told of, where it can prove the outcome of the step in doubt. */
      readonly resourceId?: string;
      /** Asked for by API: the read is made at once, and the next one comes when it would have come. */
      readonly isCheck?: true;
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

/** What the glue must do next. */
export type Effect = StepEffect<MoneyStep> | ReviewEffect<ReviewDecision> | { readonly type: 'observe' };

export type RefusalCode =
  | 'not_allowed_in_state'
  | 'amount_exceeds_capturable'
  | 'amount_exceeds_reauthorizable'
  | 'reauthorization_too_soon'
  | 'provider_refused'
  | DecisionRefusal;

export type TransitionResult = ResultOf<PaymentState, Effect, RefusalCode>;
