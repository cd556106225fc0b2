import { drawPaymentPlan, type PaymentPlan } from '../payment/order-payment.js';
import type { Random } from '../random.js';
import type { Ending, WeightedEndings } from './endings.js';

export interface AuthorizePlan extends PaymentPlan {
  readonly ending: Ending;
}

export function drawAuthorizePlan(random: Random, orderId: string, endings: WeightedEndings): AuthorizePlan {
  const ending = random.weighted(endings);
  return { ...drawPaymentPlan(random, orderId, ending.isCancelled === true), ending };
}
