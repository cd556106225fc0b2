import { formatMoney, moneyText } from './lifecycle/money.js';
import { nextDeadline } from './lifecycle/payout/deadlines.js';
import { itemStatuses } from './lifecycle/payout/item.js';
import type { PayoutEffect, PayoutState } from './lifecycle/payout/payout.js';
import { consoleLink, describeDoubt, describeRun, doingNow } from './run/description.js';

/** @param address of the payout in the API. */
export function describePayout(state: PayoutState, effect?: PayoutEffect, address = ''): string {
  const { status, order, totals, reason, contradiction } = state;
  const { currency } = order.total;
  const lines = [`**${status}** · ${order.items} items, ${moneyText(order.total)}`];
  for (const name of itemStatuses) {
    const total = totals[name];
    if (total) lines.push(`${name}: ${total.count}, ${formatMoney({ minor: total.minor, currency })}`);
  }
  const doing = doingNow(effect, ({ items }) =>
    items === 'all' ? 'reading the batch' : 'reading the items that are open',
  );
  return describeRun(lines, doing, nextDeadline(state), [
    describeDoubt(state, currency),
    reason,
    contradiction,
    consoleLink(address),
  ]);
}
