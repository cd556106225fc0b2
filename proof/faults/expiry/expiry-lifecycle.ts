import type { Lifecycle } from '../lifecycle.js';
import { takeStockOfPayment } from '../payment/take-stock.js';
import { referencesOf } from '../record.js';
import { judgeExpiry } from './judge.js';
import { applicationsOfExpiry, drawExpiryPlan } from './plan.js';
import { type ExpiryRecord, playExpiry } from './play.js';

/** A hold whose days pass: reauthorized, captured or given back by policy, or left to expire. */
export const expiryLifecycle: Lifecycle = {
  name: 'expiry',
  applications: applicationsOfExpiry,
  operations: {
    moneyPosts: [
      'payment.execute',
      'authorization.capture',
      'authorization.void',
      'authorization.reauthorize',
    ],
    otherPosts: ['payment.create'],
    keyedPosts: ['payment.execute', 'authorization.void'],
    reads: ['payment.get', 'payment.list', 'authorization.get', 'capture.get'],
  },
  draw(random, orderId) {
    const plan = drawExpiryPlan(random, orderId);
    const record: ExpiryRecord = { commands: [], repeats: [] };
    return {
      title: `${plan.approval}; ${plan.course.title} at ${plan.application}`,
      application: plan.application,
      play: (participants, signal) => playExpiry({ ...participants, plan, record, signal }),
      takeStock: ({ orderService }, signal) => takeStockOfPayment(record, { orderService, signal }),
      references: () => referencesOf(record),
      judge: (movements) => judgeExpiry(plan, record, movements),
    };
  },
};
