import { amountsOf } from './lifecycle/payment/amounts.js';
import { nextDeadline } from './lifecycle/payment/deadlines.js';
import { formatMoney } from './lifecycle/money.js';
import { type Effect, type PaymentState, isSale } from './lifecycle/payment/payment.js';

/** What Temporal's UI shows of a run: where it stands, what it holds, what it waits for. No personal data. */
export function describePayment(state: PaymentState, doing?: Effect): string {
  const { currency } = state.order.amount;
  const { authorized, captured } = amountsOf(state);
  const taken = `${isSale(state.order) ? 'taken' : 'captured'} ${formatMoney({ minor: captured, currency })}`;
  const deadline = nextDeadline(state);
  const lines = [
    `**${state.status}** · ordered ${formatMoney(state.order.amount)} ${currency}`,
    isSale(state.order) ? taken : `authorized ${formatMoney({ minor: authorized, currency })}, ${taken}`,
  ];
  if (doing) lines.push(`now: ${describeEffect(doing)}`);
  else if (deadline) lines.push(`next: ${deadline.event.type} at ${new Date(deadline.at).toISOString()}`);
  if (state.warning !== undefined) lines.push(`warning: ${state.warning}`);
  if (state.reason !== undefined) lines.push(state.reason);
  return lines.join('\n\n');
}

function describeEffect(effect: Effect): string {
  switch (effect.type) {
    case 'observe':
      return 'reading the payment';
    case 'verifyDecision':
      return 'holding a decision against the provider';
    case 'perform':
    case 'lookUp':
      return `${effect.type} ${effect.step.type}`;
  }
}
