import { type RawBuilder, sql } from 'kysely';
import {
  tellsRefundNothingNew,
  type RefundState,
  isRefundTerminal,
  providerRefundIdOf,
  refundStatuses,
} from '#workflows/lifecycle/refund';
import type { SubjectRecords } from './transition-rows.js';

export const refundRecords: SubjectRecords<RefundState> = {
  table: 'refunds',
  ends: refundStatuses.filter(isRefundTerminal),
  // Of one made elsewhere only once it is read back as ours: before, somebody merely says so.
  resourcesOf: (state) => {
    const id = providerRefundIdOf(state);
    return id !== undefined && state.collected && state.status !== 'unfounded'
      ? [{ id, kind: 'refund' }]
      : [];
  },
  tellsNothingNew: tellsRefundNothingNew,
  fulfilledBy: ({ status }) => (status === 'completed' ? ['refund'] : []),
  columnsOf: refundColumns,
  besides: ({ state, timeline }) => (timeline.length > 0 ? [toldWithItsPayment(state)] : []),
};

/** What lists and lookups go by. */
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

export function toldWithItsPayment({ paymentId }: Pick<RefundState, 'paymentId'>) {
  return toldWithPayment(sql`${paymentId}`);
}

/** Its own count: the payment's version is its run's, whose rows it orders. */
export function toldWithPayment(id: RawBuilder<unknown>) {
  return sql`update payments set refund_changes = refund_changes + 1, updated_at = now() where id = ${id}`;
}
