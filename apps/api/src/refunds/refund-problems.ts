import type { CommandResult, PaymentRow, RefundRow } from '#database/schema';
import type { RefundState, RequestRefusal } from '#workflows/lifecycle/refund';
import { paymentActionsOf } from '../wire/payment-actions.js';
import { commonActions } from '../wire/links.js';
import { Problem, invalid } from '../problems/problem.js';
import type { RefundRequest } from './refund-requests.js';

/** The problem of an invalid request, by its wrong field. */
export function problemOfRequest(
  refusal: RequestRefusal,
  { saleId }: RefundRequest,
  { id: paymentId, state }: Pick<PaymentRow, 'id' | 'state'>,
  refunds: readonly RefundState[],
): Problem {
  if (refusal.kind === 'conflict') {
    const { code, reason: detail } = refusal;
    const allowedActions = paymentActionsOf(state, refunds, Date.now());
    return new Problem('conflict', { code, detail, currentState: state.status, allowedActions, paymentId });
  }
  const pointers = {
    amount: '/amount',
    currency: '/amount/currency',
    collected: saleId === undefined ? '/captureId' : '/saleId',
  };
  return invalid({ pointer: pointers[refusal.part], detail: refusal.reason });
}

/** The problem of a refund that the provider did not make; undefined for any other refund. */
export function problemOfOutcome({ id, state }: Pick<RefundRow, 'id' | 'state'>): Problem | undefined {
  const { status, providerRefundId, reason } = state;
  const isUnmade = status === 'declined' || (status === 'failed' && providerRefundId === undefined);
  if (!isUnmade) return undefined;
  return new Problem('payment-declined', {
    code: status === 'declined' ? 'provider_refused' : 'provider_unavailable',
    ...(reason !== undefined && { detail: reason }),
    refundId: id,
    paymentId: state.paymentId,
  });
}

/** The problem of a decision that was refused. */
export function problemOfDecision(
  { id, state }: Pick<RefundRow, 'id' | 'state'>,
  { code = 'not_allowed_in_state', reason = 'The refund does not allow this.' }: Partial<CommandResult>,
): Problem {
  return new Problem('conflict', {
    code,
    detail: reason,
    currentState: state.status,
    allowedActions: commonActions({ status: state.status, state }),
    refundId: id,
    paymentId: state.paymentId,
  });
}
