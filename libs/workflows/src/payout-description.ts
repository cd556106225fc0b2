import { formatMoney, moneyText } from './lifecycle/money.js';
import { nextDeadline } from './lifecycle/payout/deadlines.js';
import { itemStatuses } from './lifecycle/payout/item.js';
import type { PayoutEffect, PayoutState } from './lifecycle/payout/payout.js';

/** What Temporal's UI shows of a payout: where it stands, where its items do, what it waits for. No personal data. */
export function describePayout(state: PayoutState, doing?: PayoutEffect): string {
  const { status, order, totals, reason, contradiction } = state;
  const { currency } = order.total;
  const lines = [`**${status}** · ${order.items} items, ${moneyText(order.total)}`];
  for (const name of itemStatuses) {
    const total = totals[name];
    if (total) lines.push(`${name}: ${total.count}, ${formatMoney({ minor: total.minor, currency })}`);
  }
  const deadline = nextDeadline(state);
  if (doing) lines.push(`now: ${describeEffect(doing)}`);
  else if (deadline) lines.push(`next: ${deadline.event.type} at ${new Date(deadline.at).toISOString()}`);
  for (const remark of [reason, contradiction]) if (remark !== undefined) lines.push(remark);
  return lines.join('\n\n');
}

function describeEffect(effect: PayoutEffect): string {
  switch (effect.type) {
    case 'observe':
      return effect.items === 'all' ? 'reading the batch' : 'reading the items that are open';
    case 'verifyDecision':
      return 'holding a decision against the provider';
    case 'perform':
    case 'lookUp':
      return `${effect.type} ${effect.step.type}`;
  }
}
