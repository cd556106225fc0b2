import { judgeEnd } from '../judge-end.js';
import type { Verdict } from '../lifecycle.js';
import { accountOf, describeAccount } from '../payment/account.js';
import { judgeCaptures, judgeHolds } from '../payment/judge-hold.js';
import { judgeSold } from '../payment/judge-sold.js';
import { judgeHoldView } from '../payment/judge-view.js';
import type { PaymentView } from '../payment/payment-view.js';
import type { ScenarioRecord } from '../record.js';
import type { Movement } from '#tools/sandbox-admin.js';
import { verdictOn } from '../verdict.js';
import { type DeadlinePlan, describeAim } from './plan.js';

/** Either paid, or ended without money: the engine's answer must agree with the books. */
export function judgeDeadline(
  plan: DeadlinePlan,
  record: ScenarioRecord<PaymentView>,
  movements: readonly Movement[],
): Verdict {
  const account = accountOf(movements);
  const { intent, orderId } = plan;
  const paid = intent === 'sale' ? 'completed' : 'authorized';
  return verdictOn(record, {
    orderId,
    ordered: 'payment',
    scenario: describeDeadline(plan),
    books: describeAccount(account),
    found:
      intent === 'sale'
        ? judgeSold(plan, record.final, account)
        : [
            ...judgeHolds(plan, account, 1),
            ...judgeCaptures(plan, record, account, { isByPolicy: false }),
            ...judgeHoldView(plan, record.final, account, plan.minor),
          ],
    end: judgeEnd(record, [paid, 'expired', 'cancelled', 'declined'], () => false),
  });
}

export function describeDeadline(plan: DeadlinePlan): string {
  return `${plan.intent} at ${plan.application} ${describeAim(plan)}`;
}
