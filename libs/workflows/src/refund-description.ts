import { moneyText } from './lifecycle/money.js';
import { refundLifecycle } from './lifecycle/refund/lifecycle.js';
import type { RefundEffect, RefundState } from './lifecycle/refund/refund.js';

const doings: Readonly<Record<RefundEffect['type'], string>> = {
  perform: 'asking the provider for it',
  lookUp: 'looking up whether it was made',
  observe: 'reading it',
  verifyDecision: 'holding a decision against the provider',
};

/** What Temporal's UI shows of a refund's run. No personal data. */
export function describeRefund(state: RefundState, doing?: RefundEffect): string {
  const { status, amount, collected, paymentId, reason, contradiction } = state;
  const deadline = refundLifecycle.nextDeadline(state);
  const lines = [`**${status}** · ${amount ? moneyText(amount) : 'amount not told'} · payment ${paymentId}`];
  if (collected) lines.push(`given back from ${collected.kind} ${collected.id}`);
  if (doing) lines.push(`now: ${doings[doing.type]}`);
  else if (deadline) lines.push(`next: ${deadline.event.type} at ${new Date(deadline.at).toISOString()}`);
  for (const remark of [reason, contradiction]) if (remark !== undefined) lines.push(remark);
  return lines.join('\n\n');
}
