import type { Lifecycle, Operations } from '../lifecycle.js';
import type { Random } from '../random.js';
import { describeSubscription, judgeSubscription } from './judge.js';
import {
  applicationsOfDeadlines,
  applicationsOfSubscriptions,
  drawSubscriptionDeadline,
  drawSubscriptionPlan,
  faultsOfDeadlines,
  outcomesOfSubscriptions,
  type SubscriptionPlan,
} from './plan.js';
import { playSubscription, type SubscriptionRecord, takeStockOfSubscription } from './play.js';

const operations: Operations = {
  moneyPosts: ['agreement.execute', 'agreement.suspend', 'agreement.re-activate', 'agreement.cancel'],
  otherPosts: ['plan.create', 'plan.update', 'agreement.create'],
  keyedPosts: [],
  reads: ['plan.get', 'plan.list', 'agreement.get', 'agreement.transactions', 'sale.get'],
};

/** A plan, which is made once, and a subscription to it: from the order through its cycles to its end. */
export const subscriptionLifecycle: Lifecycle = {
  name: 'subscription',
  applications: applicationsOfSubscriptions,
  operations,
  outcomes: outcomesOfSubscriptions,
  draw: drawing(drawSubscriptionPlan),
};

/** A subscription whose payer returns close to the approval deadline. */
export const subscriptionDeadlineLifecycle: Lifecycle = {
  name: 'subscription-deadline',
  applications: applicationsOfDeadlines,
  operations,
  faults: faultsOfDeadlines,
  draw: drawing(drawSubscriptionDeadline),
};

function drawing(drawPlan: (random: Random, orderId: string) => SubscriptionPlan): Lifecycle['draw'] {
  return (random, orderId) => {
    const plan = drawPlan(random, orderId);
    const record: SubscriptionRecord = { commands: [], repeats: [] };
    return {
      title: describeSubscription(plan),
      application: plan.application,
      play: (participants, signal) => playSubscription({ ...participants, plan, record, signal }),
      takeStock: (participants, signal) => takeStockOfSubscription(plan, { ...participants, record, signal }),
      references: () => (record.final?.agreements ?? []).map(({ id }) => id),
      judge: (movements) => judgeSubscription(plan, record, movements),
    };
  };
}
