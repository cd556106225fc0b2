import { type Discrepancy, doubled, needsReview, stuck } from '../discrepancy.js';
import { type EndVerdict, judgeEnd } from '../judge-end.js';
import type { Verdict } from '../lifecycle.js';
import type { Command } from '../order-service.js';
import { type Account, accountOf, describeAccount } from '../payment/account.js';
import { judgeSold } from '../payment/judge-sold.js';
import { judgeCaptures, judgeHolds } from '../payment/judge-hold.js';
import { judgeHoldView } from '../payment/judge-view.js';
import type { PaymentView } from '../payment/payment-view.js';
import type { ScenarioRecord } from '../record.js';
import type { Movement } from '#tools/sandbox-admin.js';
import { verdictOn } from '../verdict.js';
import { judgeRefunds } from './judge-refunds.js';
import { judgeReversals } from './judge-reversals.js';
import type { RefundPlan } from './plan.js';
import type { RefundRecord } from './play.js';
import { settledRefunds } from './refund-view.js';

/** Whether the money was collected once, and every refund and chargeback is shown correctly. */
export function judgeRefund(plan: RefundPlan, record: RefundRecord, movements: readonly Movement[]): Verdict {
  const account = accountOf(movements);
  const { orderId, approval, intent, course, application } = plan;
  return verdictOn(record, {
    orderId,
    ordered: 'payment',
    scenario: `${intent}, ${approval}; refunded ${course.title} at ${application}`,
    books: describeAccount(account),
    found: [
      ...judgeCollection(plan, record, account),
      ...judgeRefunds(plan, record, account),
      ...judgeReversals(plan, record, account),
      ...judgeRefusals(record),
      ...judgeStanding(record),
    ],
    end: endOf(plan, record, account),
  });
}

function judgeCollection(plan: RefundPlan, record: RefundRecord, account: Account): Discrepancy[] {
  const payment = paymentOf(record);
  if (plan.intent === 'sale') return judgeSold(plan, payment.final, account);
  return [
    ...judgeHolds(plan, account, 1),
    ...judgeCaptures(plan, payment, account, { isByPolicy: plan.course.parts === undefined }),
    ...judgeHoldView(plan, payment.final, account, plan.minor),
  ];
}

function paymentOf({ final, ...reported }: RefundRecord): ScenarioRecord<PaymentView> {
  return { ...reported, ...(final && { final: final.payment }) };
}

function endOf({ intent }: RefundPlan, record: RefundRecord, { sums }: Account): EndVerdict {
  const { commands } = record;
  const planned = intent === 'sale' ? 'completed' : 'captured';
  const end = judgeEnd(paymentOf(record), [planned], (state) => {
    if (state === 'declined') return sums.sale + sums.capture === 0 && sums.hold === sums.release;
    if (state === 'partially_captured') return commands.some(isFailed);
    return state === 'authorized' && sums.capture === 0;
  });
  const failed = commands.filter((command) => command.kind === 'refund' && isFailed(command));
  if (end.discrepancies.length > 0 || end.explanation !== undefined || failed.length === 0) return end;
  return { ...end, explanation: `not refunded: ${failed.map(({ detail }) => detail).join('; ')}` };
}

function isFailed({ outcome }: Command): boolean {
  return outcome === 'failed';
}

/** The engine knows by itself what cannot be refunded; that it is left without an answer is judged elsewhere. */
function judgeRefusals({ commands }: RefundRecord): Discrepancy[] {
  return commands
    .filter(({ kind, outcome }) => kind === 'invalid refund' && outcome !== 'refused' && outcome !== 'open')
    .map(({ key, outcome }) => doubled(`a refund that cannot be made has ${outcome} (key ${key})`));
}

/** By now every refund at the provider is final, and its reads are right. */
function judgeStanding({ final }: RefundRecord): Discrepancy[] {
  return (final?.refunds ?? []).flatMap(({ id, state, reason }) => {
    const what = `refund ${id} is left ${state} (${reason ?? 'no reason given'})`;
    if (state === 'needs_review') return [needsReview(what), stuck(what)];
    return settledRefunds.has(state) ? [] : [stuck(what)];
  });
}
