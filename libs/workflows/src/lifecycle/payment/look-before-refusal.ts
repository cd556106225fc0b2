import { lookBeforeRefusalOf } from '../step/look-before-refusal.js';
import { type MoneyStep, type PaymentState, isTerminal } from './payment.js';
import type { Effect, PaymentEvent } from './event.js';
import { transition } from './transition.js';

export const lookBeforeRefusal = lookBeforeRefusalOf<PaymentState, MoneyStep, PaymentEvent, Effect>({
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
