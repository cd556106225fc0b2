import {
  type PaymentRunInput,
  type Purchase,
  paymentSubject,
  paymentWorkflowType,
  type RefundIdentity,
  type RefundMessage,
  type RefundRunInput,
  refundSubject,
  refundWorkflowType,
  type RunStart,
} from '#workflows/contract';
import { moneyText, type Position } from '#workflows/lifecycle';
import type { RefundState } from '#workflows/lifecycle/refund';

/** Messages after which a run continues as new; a payment sees a few dozen in its life. */
export const messagesPerRun = 1_000;

export function paymentRunStart(input: PaymentRunInput): RunStart {
  const { identity, order, purchase } = input;
  const { intent = 'authorize' } = order;
  return {
    subject: paymentSubject(identity),
    type: paymentWorkflowType,
    input,
    summary: `Order ${purchase.orderId}: ${intent} ${moneyText(order.amount)}`,
    orderId: purchase.orderId,
    intent,
  };
}

/** Looks after which a refund's run continues as new; one that stays pending is looked at for months. */
export const looksPerRun = 500;

export function refundRunStart(input: RefundRunInput): RunStart {
  const { claim, paymentId } = input;
  return {
    subject: refundSubject(input.identity),
    type: refundWorkflowType,
    input,
    summary:
      claim.kind === 'request'
        ? `Refund of ${moneyText(claim.amount)} of payment ${paymentId}`
        : `A ${claim.kind} of payment ${paymentId}, made elsewhere`,
    intent: claim.kind === 'reversal' ? 'reversal' : 'refund',
  };
}

/**
 * A run that reads what was not known of a refund when it ended.
 *
 * @param rows as they stand; nothing else is written of it any more.
 * @param message that has it read.
 */
export function refundRunAfterEnd(
  identity: RefundIdentity,
  rows: Position<RefundState>,
  message: RefundMessage,
): RunStart {
  const { claim, paymentId, patience } = rows.state;
  // With the run, and not only as its signal: a run of what has ended does not wait for one.
  const continued = { ...rows, seen: [message.id], waiting: [message] };
  return refundRunStart({ identity, claim, paymentId, patience, looksPerRun, continued });
}

/**
 * Where the provider sends the payer back to: the API's payer routes.
 *
 * @param publicUrl origin under which payers reach the API.
 */
export function payerAddresses(
  publicUrl: string,
  paymentId: string,
): Pick<Purchase, 'returnUrl' | 'cancelUrl'> {
  const self = `${publicUrl.replace(/\/+$/, '')}/v1/payments/${paymentId}`;
  return { returnUrl: `${self}/return`, cancelUrl: `${self}/cancel` };
}
