import { sql } from 'kysely';
import {
  finalParts,
  isAlreadyKnown,
  type PaymentState,
  isTerminal,
  paymentStatuses,
} from '#workflows/lifecycle/payment';
import { paymentNews } from '../notifications/subject-news.js';
import type { SubjectRecords } from './transition.js';

export const paymentRecords: SubjectRecords<PaymentState> = {
  table: 'payments',
  ends: paymentStatuses.filter(isTerminal),
  resourcesOf: (state) => [
    ...(state.providerPaymentId === undefined ? [] : [{ id: state.providerPaymentId, kind: 'payment' }]),
    ...(state.authorization ? [{ id: state.authorization.authorizationId, kind: 'authorization' }] : []),
    ...(state.sale ? [{ id: state.sale.saleId, kind: 'sale' }] : []),
    ...state.captures.map(({ captureId }) => ({ id: captureId, kind: 'capture' })),
  ],
  isAlreadyKnown,
  finalParts: {
    of: finalParts,
    inRow: sql`(
      select coalesce(jsonb_object_agg(coalesce(part->>'captureId', part->>'saleId'), part->'status'), '{}')
      from jsonb_array_elements(coalesce(state->'captures', '[]') || coalesce(state->'sale', '[]')) part
      where part->>'status' <> 'pending' and part->'isOnWord' is distinct from 'true')`,
  },
  newsOf: paymentNews,
  hasRefunds: true,
  fulfilledBy: ({ released }) => (released ? ['void', 'release'] : []),
  columns: ['sealed_letters'],
  columnsOf: (state) => (state.order.hasLetters && !needsLetters(state) ? { sealed_letters: null } : {}),
};

/** Until the provider has the payment, it may be created again, for the same address. */
function needsLetters({ providerPaymentId, status }: PaymentState): boolean {
  return providerPaymentId === undefined && !isTerminal(status);
}
