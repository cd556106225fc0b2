import { type PaymentState, allowedActions, type paymentActions } from '#workflows/lifecycle/payment';
import { type RefundState, collectedBy, refundableInAll } from '#workflows/lifecycle/refund';
import { commonActions } from './links.js';

type PaymentAction = (typeof paymentActions)[number] | 'refund' | ReturnType<typeof commonActions>[number];

/**
 * The commands that a payment allows now: the same in its answers and in the problems of refused requests.
 *
 * @param refunds of the payment.
 */
export function paymentActionsOf(
  state: PaymentState,
  refunds: readonly RefundState[],
  now: number,
): PaymentAction[] {
  const refundable = refundableInAll(collectedBy(state), refunds) ?? 0;
  return [
    ...allowedActions(state, now),
    ...(refundable > 0 ? (['refund'] as const) : []),
    ...commonActions({ status: state.status, state }),
  ];
}
