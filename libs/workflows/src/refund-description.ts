import { moneyText } from './lifecycle/money.js';
import { refundLifecycle } from './lifecycle/refund/lifecycle.js';
import type { RefundEffect, RefundState } from './lifecycle/refund/refund.js';
import { consoleLink, describeDoubt, describeRun, doingNow } from './run/description.js';

/** @param address of the refund in the API. */
export function describeRefund(state: RefundState, effect?: RefundEffect, address = ''): string {
  const { status, amount, collected, paymentId, reason, contradiction } = state;
  const lines = [`**${status}** · ${amount ? moneyText(amount) : 'amount not known'} · payment ${paymentId}`];
  if (collected) lines.push(`given back from ${collected.kind} ${collected.id}`);
  const doing = doingNow(effect, () => 'reading the refund');
  return describeRun(lines, doing, refundLifecycle.nextDeadline(state), [
    describeDoubt(state, amount?.currency ?? ''),
    reason,
    contradiction,
    consoleLink(address),
  ]);
}
