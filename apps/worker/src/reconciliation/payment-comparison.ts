import { paymentRecords } from '#database/transitions';
import { differencesOf, type PaymentState } from '#workflows/lifecycle/payment';
import { readPaymentFacts } from '../provider/read-payment.js';
import type { ComparedKind } from './compared-kind.js';

export const comparedPayments: ComparedKind<PaymentState> = {
  records: paymentRecords,
  isComparable: ({ openStep, providerPaymentId }) => !openStep && providerPaymentId !== undefined,
  owesRead: ({ readOwed, lapsed }) => readOwed || lapsed,
  differences: async ({ client, state }) => differencesOf(state, await readPaymentFacts(client, state)),
};
