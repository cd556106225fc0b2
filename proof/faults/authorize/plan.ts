import { type Application, variantOfShop } from '../applications.js';
import { drawPaymentPlan, type PaymentPlan } from '../payment/order-payment.js';
import type { Random } from '../random.js';
import type { Ending, WeightedEndings } from './endings.js';

/** In milliseconds: long enough for a webhook to tell of both, and for a process to die in between. */
export const captureSettleMs = 4_000;
/** Its captures are pending at first. */
export const settledLater: Application = variantOfShop('captures-settled', {
  captureOutcome: 'pending_then_completed',
  captureSettleMs,
});

export interface AuthorizePlan extends PaymentPlan {
  readonly ending: Ending;
  /** Its captures are there at once; or later, or denied later. */
  readonly application: string;
}

export function drawAuthorizePlan(
  random: Random,
  orderId: string,
  endings: WeightedEndings,
  application: Application,
): AuthorizePlan {
  const ending = random.weighted(endings);
  const payment = drawPaymentPlan(random, orderId, ending.isCancelled === true);
  return { ...payment, ending, application: application.name };
}
