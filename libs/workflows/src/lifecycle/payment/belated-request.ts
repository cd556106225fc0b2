import { lookingBeforeRefusal } from '../step/belated-request.js';
import { type Effect, type MoneyStep, type PaymentEvent, type PaymentState, isTerminal } from './payment.js';
import { transition } from './transition.js';

export const lookBeforeRefusal = lookingBeforeRefusal<PaymentState, MoneyStep, PaymentEvent, Effect>({
  transition,
  isTerminal,
  requests: new Set([
    'captureRequested',
    'voidRequested',
    'releaseRequested',
    'reauthorizeRequested',
    'cancelRequested',
    'payerApproved',
    'payerCancelled',
  ]),
  read: () => ({ type: 'observe' }),
});
