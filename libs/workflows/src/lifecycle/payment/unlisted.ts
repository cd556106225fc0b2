import { refuse } from '../lifecycle.js';
import type { PaymentEvent, PaymentEventType, TransitionResult } from './event.js';
import type { PaymentState } from './payment.js';

/** The result of an event that the state does not list: a request is refused, any other event is stale. */
export function takeUnlisted(state: PaymentState, event: PaymentEvent): TransitionResult {
  if (unlisted[event.type] === 'stale') return { kind: 'stale', state };
  return refuse(state, 'not_allowed_in_state', `A payment that is ${state.status} ${isNot(event)}.`);
}

const unlisted: Readonly<Record<PaymentEventType, 'refused' | 'stale'>> = {
  paymentCreated: 'stale',
  authorizationGranted: 'stale',
  saleAnswered: 'stale',
  stepDeclined: 'stale',
  approvalFoundMissing: 'stale',
  captureAnswered: 'stale',
  voidConfirmed: 'stale',
  authorizationRenewed: 'stale',
  reauthorizationTooSoon: 'stale',
  stepDeferred: 'stale',
  outcomeUnknown: 'stale',
  stepProvedUndone: 'stale',
  lookInconclusive: 'stale',
  providerObserved: 'stale',
  observationFailed: 'stale',
  decisionRefused: 'stale',
  stepDecidedUndone: 'stale',
  payerApproved: 'stale',
  payerCancelled: 'stale',
  captureRequested: 'refused',
  voidRequested: 'refused',
  releaseRequested: 'refused',
  reauthorizeRequested: 'refused',
  cancelRequested: 'refused',
  reviewDecided: 'refused',
  providerNotified: 'stale',
  approvalTimedOut: 'stale',
  captureCameDue: 'stale',
  honourPeriodNearedEnd: 'stale',
  honourCaptureCameDue: 'stale',
  reauthorizationCameDue: 'stale',
  honourPeriodEnded: 'stale',
  captureWindowNearedEnd: 'stale',
  settlementCameDue: 'stale',
  authorizationLapsed: 'stale',
  stepCameDue: 'stale',
  reviewCameDue: 'stale',
  pollCameDue: 'stale',
};

function isNot({ type }: PaymentEvent): string {
  switch (type) {
    case 'reviewDecided':
      return 'is not under review';
    case 'captureRequested':
      return 'cannot be captured';
    case 'releaseRequested':
      return 'has nothing left to be released after a capture';
    case 'reauthorizeRequested':
      return 'cannot be reauthorized';
    case 'cancelRequested':
      return 'cannot be cancelled';
    default:
      return 'cannot be voided';
  }
}
