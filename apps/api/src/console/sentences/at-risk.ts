import type { UrgentRow } from '#database/console';
import { type PaymentState, amountsOf, reviewSubject } from '#workflows/lifecycle/payment';
import { amountOfStep as amountOfPaymentStep } from '../../payments/payment-view.js';
import { amountOfStep as amountOfSubscriptionStep } from '../../subscriptions/subscription-view.js';
import { amountOf } from './why.js';
import { money } from './words.js';

/**
 * The money of the operation whose outcome is unknown, of what a person must decide, or of the hold that ends; not that
 * of the whole order. Undefined where nothing is at risk, or nobody knows how much.
 */
export function moneyAtRisk(row: UrgentRow): string | undefined {
  switch (row.table) {
    case 'payments':
      return ofPayment(row.state);
    case 'subscriptions':
      return shown(amountOfSubscriptionStep(row.state));
    case 'payouts':
      // The amount of an item is in its own row, not in the state.
      return row.state.openStep?.step.type === 'cancelPayoutItem' ? undefined : ofWhole(row);
    case 'refunds':
    case 'plans':
      return ofWhole(row);
  }
}

function ofPayment(state: PaymentState): string | undefined {
  if (state.openStep) return shown(amountOfPaymentStep(state));
  const { currency, minor } = state.order.amount;
  const { capturable, authorized } = amountsOf(state);
  switch (reviewSubject(state)) {
    case 'amount':
    case 'unseen_capture':
      return money(authorized, currency);
    case 'sale_amount':
      return money(state.sale?.minor ?? minor, currency);
    default:
      return money(capturable, currency);
  }
}

function ofWhole(row: UrgentRow): string | undefined {
  const whole = amountOf(row);
  return whole && money(whole.minor, whole.currency);
}

function shown(amount: ReturnType<typeof amountOfPaymentStep>): string | undefined {
  return amount === null ? undefined : `${amount.value} ${amount.currency}`;
}
