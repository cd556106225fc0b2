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
import { refusalMeanings } from '../steps/attempts/error-mapping.js';
import { commandOf, commandsIn, outcomeOfStep } from './payment-command-outcomes.js';

export type PaymentWork = Work<{
  identity: PaymentIdentity;
  state: PaymentState;
  event: PaymentEvent;
  step: MoneyStep;
}>;

export const paymentWriter: PaymentWork['writer'] = {
  lifecycle: paymentLifecycle,
  records: paymentRecords,
  subjectOf: paymentSubject,
  waitPolicyOf: ({ order }) => order.patience,
  nameOfStep,
  commandOf,
  commandsIn,
  outcomeOfStep,
  madeAtOf: ({ authorization, providerPaymentId }, begunAt) => {
    if (authorization) return authorization.renewal?.heldAt ?? authorization.createdAt;
    return providerPaymentId === undefined ? undefined : begunAt;
  },
  refusalMeanings: refusalMeanings.payment,
};
