import { formatMoney } from './lifecycle/money.js';
import { amountsOf } from './lifecycle/payment/amounts.js';
import { nextDeadline } from './lifecycle/payment/deadlines.js';
import { type PaymentState, isSale } from './lifecycle/payment/payment.js';
import type { Effect } from './lifecycle/payment/event.js';
import { consoleLink, describeDoubt, describeRun, doingNow } from './run/description.js';

/** @param returnUrl the payer's return address, a route of the API: the console is at the same place. */
export function describePayment(state: PaymentState, effect?: Effect, returnUrl = ''): string {
  const { status, order, warning, reason } = state;
  const { currency } = order.amount;
  const { authorized, captured } = amountsOf(state);
  const taken = `${isSale(order) ? 'taken' : 'captured'} ${formatMoney({ minor: captured, currency })}`;
  return describeRun(
    [
      `**${status}** · ordered ${formatMoney(order.amount)} ${currency}`,
      isSale(order) ? taken : `authorized ${formatMoney({ minor: authorized, currency })}, ${taken}`,
    ],
    doingNow(effect, () => 'reading the payment'),
    nextDeadline(state),
    [describeDoubt(state, currency), warning && `warning: ${warning}`, reason, consoleLink(returnUrl)],
  );
}
