import type { Lifecycle } from '../lifecycle.js';
import type { PaymentView } from '../payment/payment-view.js';
import { takeStockOfPayment } from '../payment/take-stock.js';
import { referencesOf, type ScenarioRecord } from '../record.js';
import { describeDeadline, judgeDeadline } from './judge.js';
import { applicationsOfDeadlines, drawDeadlinePlan, faultsOfDeadlines } from './plan.js';
import { playDeadline } from './play.js';

/** A payment whose payer returns close to the approval deadline. */
export const deadlineLifecycle: Lifecycle = {
  name: 'deadline',
  applications: applicationsOfDeadlines,
  operations: {
    moneyPosts: ['payment.execute'],
    otherPosts: ['payment.create'],
    keyedPosts: ['payment.execute'],
    reads: ['payment.get', 'payment.list', 'sale.get', 'authorization.get'],
  },
  faults: faultsOfDeadlines,
  draw(random, orderId) {
    const plan = drawDeadlinePlan(random, orderId);
    const record: ScenarioRecord<PaymentView> = { commands: [], repeats: [] };
    return {
      title: describeDeadline(plan),
      application: plan.application,
      play: (participants, signal) => playDeadline({ ...participants, record, signal }, plan),
      takeStock: ({ orderService }, signal) => takeStockOfPayment(record, { orderService, signal }),
      references: () => referencesOf(record),
      judge: (movements) => judgeDeadline(plan, record, movements),
    };
  },
};
