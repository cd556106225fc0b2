import { paymentRecords } from '../../../../libs/database/src/payment-records.js';
import { differencesOf } from '../../../../libs/workflows/src/lifecycle/payment/difference.js';
import type { PaymentState } from '../../../../libs/workflows/src/lifecycle/payment/payment.js';
import { lookLimit } from '../provider/provider-clients.js';
import { factsOf } from '../provider/provider-facts.js';
import type { ComparedKind } from './compared-kind.js';

export const comparedPayments: ComparedKind<PaymentState> = {
  records: paymentRecords,
  isComparable: ({ openStep, providerPaymentId }) => !openStep && providerPaymentId !== undefined,
  differences: async ({ client, state }) => {
    const shown = await client.payments.get(state.providerPaymentId ?? '', { signal: lookLimit() });
    return differencesOf(state, factsOf(shown, state.order.amount.currency));
  },
};
