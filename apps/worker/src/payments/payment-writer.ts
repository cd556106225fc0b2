import { paymentRecords } from '#database/transitions';
import { type PaymentIdentity, paymentSubject } from '#workflows/contract';
import {
  paymentLifecycle,
  nameOfStep,
  type MoneyStep,
  type PaymentState,
  type PaymentEvent,
} from '#workflows/lifecycle/payment';
import type { Work } from '../steps/activities/subject-writer.js';
import { commandOf, commandsIn, outcomeOfStep } from './payment-command-outcomes.js';

export type PaymentWork = Work<PaymentIdentity, PaymentState, PaymentEvent, MoneyStep>;

export const paymentWriter: PaymentWork['writer'] = {
  lifecycle: paymentLifecycle,
  records: paymentRecords,
  subjectOf: paymentSubject,
  waitPolicyOf: ({ order }) => order.patience,
  nameOfStep,
  commandOf,
  commandsIn,
  outcomeOfStep,
  eventOfRefusal: ({ code }) => eventOfRefusal(code),
};

/** @param code the provider's. */
function eventOfRefusal(code: string | undefined): PaymentEvent | undefined {
  switch (code) {
    // The approval came with a wrong payer id. That does not end the payment: the payer can still return.
    case 'INVALID_PAYER_ID':
    case 'PAYMENT_NOT_APPROVED_FOR_EXECUTION':
      return { type: 'approvalFoundMissing' };
    case 'REAUTHORIZATION_TOO_SOON':
      return { type: 'reauthorizationTooSoon', reason: `The provider refused it (${code}).` };
    default:
      return undefined;
  }
}
