import { formatMoney } from './lifecycle/money.js';
import { amountsOf } from './lifecycle/payment/amounts.js';
import { nextDeadline } from './lifecycle/payment/deadlines.js';
import { type PaymentState, isSale } from './lifecycle/payment/payment.js';
import type { Effect } from './lifecycle/payment/event.js';
import { describeRun, doingNow } from './run/description.js';

export function describePayment(state: PaymentState, effect?: Effect): string {
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
    [warning && `warning: ${warning}`, reason],
  );
}
