import { type Application, shop, variantOfShop } from '../applications.js';
import { drawPaymentPlan, type PaymentPlan } from '../payment/order-payment.js';
import type { Random } from '../random.js';
import { countSteps, type WeightedCourses, type RefundCourse } from './courses.js';

/** In milliseconds. */
const refundSettleMs = 4_000;
const completedLater = variantOfShop('refunds-settled', {
  refundOutcome: 'pending_then_completed',
  refundSettleMs,
});
const failedLater = variantOfShop('refunds-failing', {
  refundOutcome: 'pending_then_failed',
  refundSettleMs,
});

export const applicationsOfRefunds: readonly Application[] = [shop, completedLater, failedLater];

export interface RefundPlan extends PaymentPlan {
  /** What collects the money that goes back. */
  readonly intent: 'sale' | 'authorize';
  /** Its refunds are made at once, later, or fail later. */
  readonly application: string;
  readonly course: RefundCourse;
}

export function drawRefundPlan(random: Random, orderId: string, courses: WeightedCourses): RefundPlan {
  const plan = drawPaymentPlan(random, orderId, false);
  const intent = random.pick(['sale', 'authorize'] as const);
  const course = random.weighted(courses);
  const drawn = random.weighted([
    [shop, 60],
    [completedLater, 25],
    [failedLater, 15],
  ]);
  return {
    ...plan,
    intent: course.parts ? 'authorize' : intent,
    course,
    application: (canWait(course) ? drawn : shop).name,
  };
}

/**
 * The provider reports no refund made elsewhere that fails. And it never shows how much was charged back while a refund
 * was pending.
 */
function canWait(course: RefundCourse): boolean {
  return countSteps(course, 'elsewhere') === 0;
}
