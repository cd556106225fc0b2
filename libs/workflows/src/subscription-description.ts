import { moneyText } from './lifecycle/money.js';
import { nextDeadline } from './lifecycle/subscription/deadlines.js';
import type { SubscriptionEffect, SubscriptionState } from './lifecycle/subscription/subscription.js';
import { consoleLink, describeDoubt, describeRun, doingNow } from './run/description.js';

export function describeSubscription(
  state: SubscriptionState,
  effect?: SubscriptionEffect,
  returnUrl = '',
): string {
  const { status, order, billing, reason } = state;
  const outstanding = { minor: billing?.outstandingMinor ?? 0, currency: order.currency };
  const progress = billing
    ? ` · ${billing.cyclesCompleted} cycles billed, ${moneyText(outstanding)} outstanding`
    : '';
  const doing = doingNow(effect, () => 'reading the agreement');
  const lines = [`**${status}** · plan ${order.planId}${progress}`];
  return describeRun(lines, doing, nextDeadline(state), [
    describeDoubt(state, order.currency),
    reason,
    consoleLink(returnUrl),
  ]);
}
