import {
  tellsNothingNew,
  type PaymentState,
  isTerminal,
  paymentStatuses,
} from '#workflows/lifecycle/payment';
import type { SubjectRecords } from './transition-rows.js';

export const paymentRecords: SubjectRecords<PaymentState> = {
  table: 'payments',
  ends: paymentStatuses.filter(isTerminal),
  resourcesOf: (state) => [
    ...(state.providerPaymentId === undefined ? [] : [{ id: state.providerPaymentId, kind: 'payment' }]),
    ...(state.authorization ? [{ id: state.authorization.authorizationId, kind: 'authorization' }] : []),
    ...(state.sale ? [{ id: state.sale.saleId, kind: 'sale' }] : []),
    ...state.captures.map(({ captureId }) => ({ id: captureId, kind: 'capture' })),
  ],
  tellsNothingNew,
  fulfilledBy: ({ released }) => (released ? ['void', 'release'] : []),
};
