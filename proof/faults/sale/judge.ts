import { judgeEnd } from '../judge-end.js';
import type { Verdict } from '../lifecycle.js';
import { accountOf, describeAccount } from '../payment/account.js';
import { judgeSold } from '../payment/judge-sold.js';
import type { PaymentView } from '../payment/payment-view.js';
import type { ScenarioRecord } from '../record.js';
import type { Movement } from '#tools/sandbox-admin.js';
import { verdictOn } from '../verdict.js';
import type { SalePlan } from './plan.js';

/** Whether the money was taken once, and the engine says "completed" of just that. */
export function judgeSale(
  plan: SalePlan,
  record: ScenarioRecord<PaymentView>,
  movements: readonly Movement[],
): Verdict {
  const account = accountOf(movements);
  const { orderId, approval, state, application } = plan;
  return verdictOn(record, {
    orderId,
    ordered: 'payment',
    scenario: `${approval}; ${state} at ${application}`,
    books: describeAccount(account),
    found: judgeSold(plan, record.final, account),
    end: judgeEnd(record, [state], (ended) => ended === 'declined' && account.sums.sale === 0),
  });
}
