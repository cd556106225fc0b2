import type {
  PaymentEvent,
  PaymentEventType,
} from '../../../libs/workflows/src/lifecycle/payment/payment.js';
import { authorization, capture, facts, now, patience, sale } from './sample-payments.js';

/** A new event does not compile here until it has a sample, and does not pass until each table has its row. */
export const sampleEvents: { readonly [T in PaymentEventType]: Extract<PaymentEvent, { type: T }> } = {
  paymentCreated: { type: 'paymentCreated', providerPaymentId: 'PAY-1', approvalUrl: 'https://pay.example/' },
  authorizationGranted: { type: 'authorizationGranted', providerPaymentId: 'PAY-1', authorization },
  saleAnswered: { type: 'saleAnswered', providerPaymentId: 'PAY-1', sale },
  stepDeclined: { type: 'stepDeclined', reason: 'The provider refused it (SOME_CODE).' },
  approvalFoundMissing: { type: 'approvalFoundMissing' },
  captureAnswered: {
    type: 'captureAnswered',
    capture: capture(60_00, { captureId: 'CAP-2', commandId: 'cmd_2', final: true }),
  },
  voidConfirmed: { type: 'voidConfirmed' },
  stepDeferred: { type: 'stepDeferred', retryAt: now + patience.firstRetryMs },
  outcomeUnknown: { type: 'outcomeUnknown', horizonAt: now + patience.outcomeHorizonMs },
  stepProvedUndone: { type: 'stepProvedUndone' },
  lookInconclusive: { type: 'lookInconclusive' },
  providerObserved: { type: 'providerObserved', facts: facts() },
  observationFailed: { type: 'observationFailed' },
  decisionRefused: {
    type: 'decisionRefused',
    commandId: 'cmd_3',
    code: 'too_early',
    reason: 'The provider may still carry it out.',
  },
  stepDecidedUndone: { type: 'stepDecidedUndone', reason: 'An operator has decided that it did not happen.' },
  payerApproved: { type: 'payerApproved', payerId: 'PAYER-1' },
  payerCancelled: { type: 'payerCancelled' },
  captureRequested: { type: 'captureRequested', commandId: 'cmd_3', minor: 10_00 },
  voidRequested: { type: 'voidRequested', commandId: 'cmd_3' },
  reviewDecided: {
    type: 'reviewDecided',
    commandId: 'cmd_3',
    decision: 'did_not_happen',
    reason: 'Seen in the provider’s dashboard.',
  },
  providerNotified: { type: 'providerNotified', eventType: 'PAYMENT.AUTHORIZATION.CREATED' },
  approvalTimedOut: { type: 'approvalTimedOut' },
  captureCameDue: { type: 'captureCameDue' },
  honourPeriodNearedEnd: { type: 'honourPeriodNearedEnd' },
  honourPeriodEnded: { type: 'honourPeriodEnded' },
  captureWindowNearedEnd: { type: 'captureWindowNearedEnd' },
  settlementCameDue: { type: 'settlementCameDue' },
  authorizationLapsed: { type: 'authorizationLapsed' },
  stepCameDue: { type: 'stepCameDue' },
  pollCameDue: { type: 'pollCameDue' },
};
