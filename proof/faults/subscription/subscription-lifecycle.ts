import type { Lifecycle } from '../lifecycle.js';
import { judgeSubscription } from './judge.js';
import { applicationsOfSubscriptions, drawSubscriptionPlan, outcomesOfSubscriptions } from './plan.js';
import { playSubscription, type SubscriptionRecord, takeStockOfSubscription } from './play.js';

/** A plan, which is made once, and a subscription to it: from the order through its cycles to its end. */
export const subscriptionLifecycle: Lifecycle = {
  name: 'subscription',
  applications: applicationsOfSubscriptions,
  operations: {
    moneyPosts: ['agreement.execute', 'agreement.suspend', 'agreement.re-activate', 'agreement.cancel'],
    otherPosts: ['plan.create', 'plan.update', 'agreement.create'],
    keyedPosts: [],
    reads: ['plan.get', 'plan.list', 'agreement.get', 'agreement.transactions', 'sale.get'],
  },
  outcomes: outcomesOfSubscriptions,
  draw(random, orderId) {
    const plan = drawSubscriptionPlan(random, orderId);
    const record: SubscriptionRecord = { commands: [], repeats: [] };
    return {
      title: `${plan.terms.name}; ${plan.ending} at ${plan.application}`,
      application: plan.application,
      play: (participants, signal) => playSubscription({ ...participants, plan, record, signal }),
      takeStock: (participants, signal) => takeStockOfSubscription(plan, { ...participants, record, signal }),
      references: () => (record.final?.agreements ?? []).map(({ id }) => id),
      judge: (movements) => judgeSubscription(plan, record, movements),
    };
  },
};
