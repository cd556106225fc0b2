import type { Lifecycle } from '../lifecycle.js';
import { referencesOf } from '../record.js';
import { judgePayout } from './judge.js';
import { applicationsOfPayouts, drawPayoutPlan } from './plan.js';
import { type PayoutRecord, playPayout, takeStockOfPayout } from './play.js';

/** A batch of payouts, from the order until each item has come to its end or waits for its receiver. */
export const payoutLifecycle: Lifecycle = {
  name: 'payout',
  applications: applicationsOfPayouts,
  operations: {
    moneyPosts: ['payout.create', 'payout-item.cancel'],
    otherPosts: [],
    keyedPosts: ['payout.create'],
    reads: ['payout.get', 'payout-item.get'],
  },
  draw(random, orderId) {
    const plan = drawPayoutPlan(random, orderId);
    const record: PayoutRecord = { commands: [], repeats: [] };
    return {
      title: `${plan.items.length} items at ${plan.application}`,
      application: plan.application,
      play: (participants, signal) => playPayout({ ...participants, plan, record, signal }),
      takeStock: ({ orderService }, signal) => takeStockOfPayout(record, { orderService, signal }),
      references: () => referencesOf(record),
      judge: (movements) => judgePayout(plan, record, movements),
    };
  },
};
