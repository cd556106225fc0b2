import type { Deadline } from './lifecycle/lifecycle.js';
import { moneyText } from './lifecycle/money.js';
import { nextDeadline as nextOfPlan } from './lifecycle/plan/lifecycle.js';
import type { PlanEffect, PlanState } from './lifecycle/plan/plan.js';
import { nextDeadline } from './lifecycle/subscription/deadlines.js';
import type { SubscriptionEffect, SubscriptionState } from './lifecycle/subscription/subscription.js';

/** What Temporal's UI shows of a plan's run. No personal data. */
export function describePlan(state: PlanState, doing?: PlanEffect): string {
  const { status, order, reason } = state;
  const head = `**${status}** · plan in ${order.terms.currency}`;
  return lines(head, doing, nextOfPlan(state), reason);
}

/** What Temporal's UI shows of a subscription's run: where it stands, how far it has come. No personal data. */
export function describeSubscription(state: SubscriptionState, doing?: SubscriptionEffect): string {
  const { status, order, billing, reason } = state;
  const outstanding = { minor: billing?.outstandingMinor ?? 0, currency: order.currency };
  const progress = billing
    ? ` · ${billing.cyclesCompleted} cycles billed, ${moneyText(outstanding)} outstanding`
    : '';
  return lines(`**${status}** · plan ${order.planId}${progress}`, doing, nextDeadline(state), reason);
}

function lines(
  head: string,
  doing: PlanEffect | SubscriptionEffect | undefined,
  deadline: Deadline<{ readonly type: string }> | undefined,
  reason: string | undefined,
): string {
  const told = [head];
  if (doing) told.push(`now: ${doingNow(doing)}`);
  else if (deadline) told.push(`next: ${deadline.event.type} at ${new Date(deadline.at).toISOString()}`);
  if (reason !== undefined) told.push(reason);
  return told.join('\n\n');
}

function doingNow(doing: PlanEffect | SubscriptionEffect): string {
  switch (doing.type) {
    case 'observe':
      return 'reading';
    case 'verifyDecision':
      return 'holding a decision against the provider';
    default:
      return `${doing.type} ${doing.step.type}`;
  }
}
