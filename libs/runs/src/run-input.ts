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

/** The number of messages after which a run continues as new; a payment gets a few dozen. */
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

/** The number of reads after which a refund's run continues as new; a pending refund is read for months. */
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
 * The run that reads what was still unknown of a refund at its end.
 *
 * @param rows the refund's current rows.
 * @param message the hint that makes it read.
 */
export function refundRunAfterEnd(
  identity: RefundIdentity,
  rows: Position<RefundState>,
  message: RefundMessage,
): RunStart {
  const { claim, paymentId, patience } = rows.state;
  // The message is part of the input: a run of an ended subject does not wait for signals.
  const continued = { ...rows, seen: [message.id], waiting: [message] };
  return refundRunStart({ identity, claim, paymentId, patience, looksPerRun, continued });
}

/**
 * The payer's return addresses: routes of the API.
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
