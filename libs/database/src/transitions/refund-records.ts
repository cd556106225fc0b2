import { type RawBuilder, sql } from 'kysely';
import {
  isRefundAlreadyKnown,
  type RefundState,
  isRefundTerminal,
  providerRefundIdOf,
  refundStatuses,
} from '#workflows/lifecycle/refund';
import { refundNews } from '../notifications/subject-news.js';
import type { SubjectRecords } from './transition.js';

export const refundRecords: SubjectRecords<RefundState> = {
  table: 'refunds',
  ends: refundStatuses.filter(isRefundTerminal),
  // A refund made elsewhere counts only once a read has shown it as ours. Before, it is only reported.
  resourcesOf: (state) => {
    const id = providerRefundIdOf(state);
    return id !== undefined && state.collected && state.status !== 'unfounded'
      ? [{ id, kind: 'refund' }]
      : [];
  },
  isAlreadyKnown: isRefundAlreadyKnown,
  newsOf: refundNews,
  fulfilledBy: ({ status }) => (status === 'completed' ? ['refund'] : []),
  columns: [
    'payment_id',
    'provider_refund_id',
    'collected_kind',
    'collected_id',
    'minor',
    'currency',
    'refunded_at',
  ],
  columnsOf: refundColumns,
  besides: ({ columns, timeline }) =>
    sql`${countRefundChange(sql`${columns}->>'payment_id'`)} and jsonb_array_length(${timeline}) > 0`,
};

/** The columns by which lists and queries find a refund. */
export function refundColumns(state: RefundState) {
  const { collected, amount, refundedAt } = state;
  return {
    payment_id: state.paymentId,
    provider_refund_id: providerRefundIdOf(state) ?? null,
    collected_kind: collected?.kind ?? null,
    collected_id: collected?.id ?? null,
    minor: amount?.minor ?? null,
    currency: amount?.currency ?? null,
    refunded_at: refundedAt === undefined ? null : new Date(refundedAt),
  };
}

export function countChangeOf({ paymentId }: Pick<RefundState, 'paymentId'>) {
  return countRefundChange(sql`${paymentId}`);
}

/** Counts separately, because the payment's version belongs to its run. */
export function countRefundChange(id: RawBuilder<unknown>) {
  return sql`update payments set refund_changes = refund_changes + 1, updated_at = now() where id = ${id}`;
}
