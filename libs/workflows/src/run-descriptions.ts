import { amountsOf } from './lifecycle/amounts.js';
import { nextDeadline } from './lifecycle/deadlines.js';
import { formatMoney } from './lifecycle/money.js';
import type { Effect, PaymentState } from './lifecycle/payment.js';

/** What Temporal's UI shows of a run: where it stands, what it holds, what it waits for. No personal data. */
export function describePayment(state: PaymentState, doing?: string): string {
  const { currency } = state.order.amount;
  const { authorized, captured } = amountsOf(state);
  const deadline = nextDeadline(state);
  const lines = [
    `**${state.status}** · ordered ${formatMoney(state.order.amount)} ${currency}`,
    `authorized ${formatMoney({ minor: authorized, currency })}, captured ${formatMoney({ minor: captured, currency })}`,
  ];
  if (doing !== undefined) lines.push(`now: ${doing}`);
  else if (deadline) lines.push(`next: ${deadline.event.type} at ${new Date(deadline.at).toISOString()}`);
  if (state.warning !== undefined) lines.push(`warning: ${state.warning}`);
  if (state.reason !== undefined) lines.push(state.reason);
  return lines.join('\n\n');
}

export function describeEffect(effect: Effect): string {
  return effect.type === 'observe' ? 'reading the payment' : `${effect.type} ${effect.step.type}`;
}
