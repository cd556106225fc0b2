import { paymentRecords } from '#database/transitions';
import { differencesOf, type PaymentState } from '#workflows/lifecycle/payment';
import { readPaymentFacts } from '../provider/read-payment.js';
import type { ComparedKind } from './compared-kind.js';

export const comparedPayments: ComparedKind<PaymentState> = {
  records: paymentRecords,
  isComparable: ({ openStep, providerPaymentId }) => !openStep && providerPaymentId !== undefined,
  owesRead: ({ readOwed, lapsed }) => readOwed || lapsed,
  // Its read is made once more: the first one may lag, a known difference is not told again, and no poll reads a hold.
  hint: { isNews: true },
  differences: async ({ client, state }) => differencesOf(state, await readPaymentFacts(client, state)),
};
