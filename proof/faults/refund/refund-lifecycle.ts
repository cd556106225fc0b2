import type { Lifecycle } from '../lifecycle.js';
import { referencesOf } from '../record.js';
import { judgeRefund } from './judge.js';
import { applicationsOfRefunds, drawRefundPlan } from './plan.js';
import { playRefund, type RefundRecord, takeStockOfRefunds } from './play.js';
import {
  type WeightedCourses,
  coursesOfCaptures,
  coursesOfChargebacks,
  coursesOfPayments,
} from './courses.js';

/** A payment that is collected at once, and of which money goes back: by request, or made elsewhere. */
export const refundLifecycle = lifecycleOf('refund', coursesOfPayments);

/** A hold that is captured in parts, and refunds of one capture by its name. */
export const partialRefundLifecycle = lifecycleOf('partial-refund', coursesOfCaptures);

/** A payment of which the payer's bank takes back a part or all: it is shown and never undone. */
export const chargebackLifecycle = lifecycleOf('chargeback', coursesOfChargebacks);

function lifecycleOf(name: string, courses: WeightedCourses): Lifecycle {
  return {
    name,
    applications: applicationsOfRefunds,
    operations: {
      moneyPosts: ['payment.execute', 'authorization.capture', 'capture.refund', 'sale.refund'],
      otherPosts: ['payment.create'],
      keyedPosts: ['payment.execute', 'capture.refund', 'sale.refund'],
      reads: ['payment.get', 'payment.list', 'authorization.get', 'capture.get', 'sale.get', 'refund.get'],
    },
    draw(random, orderId) {
      const plan = drawRefundPlan(random, orderId, courses);
      const record: RefundRecord = { commands: [], repeats: [] };
      return {
        title: `${plan.intent}; refunded ${plan.course.title} at ${plan.application}`,
        application: plan.application,
        play: (participants, signal) => playRefund({ ...participants, plan, record, signal }),
        takeStock: ({ orderService }, signal) => takeStockOfRefunds(record, { orderService, signal }),
        references: () => referencesOf(record),
        judge: (movements) => judgeRefund(plan, record, movements),
      };
    },
  };
}
