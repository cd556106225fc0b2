import { type Application, variantOfShop } from '../applications.js';
import { drawPaymentPlan, type PaymentPlan } from '../payment/order-payment.js';
import type { Random } from '../random.js';
import type { Ending, WeightedEndings } from './endings.js';

/** In milliseconds: long enough for a webhook to report both, and for a process to die in between. */
export const captureSettleMs = 4_000;
/** Its captures are pending at first. */
export const settledLater: Application = variantOfShop('captures-settled', {
  captureOutcome: 'pending_then_completed',
  captureSettleMs,
});

/** Its POSTs that move money are held for seconds. */
export const heldPosts: Application = variantOfShop('posts-held', {});

/** What an order service sends while a POST that moves money is on its way. */
export interface TimedSignal {
  readonly ask: 'check' | 'cancel' | 'capture';
  /** Milliseconds after the request that it disturbs. */
  readonly afterMs: number;
}

export interface AuthorizePlan extends PaymentPlan {
  readonly ending: Ending;
  /** Its captures are there at once; or later, or denied later. */
  readonly application: string;
  readonly signals: readonly TimedSignal[];
}

export function drawAuthorizePlan(
  random: Random,
  orderId: string,
  endings: WeightedEndings,
  application: Application,
): AuthorizePlan {
  const ending = random.weighted(endings);
  const payment = drawPaymentPlan(random, orderId, ending.isCancelled === true);
  return { ...payment, ending, application: application.name, signals: drawSignals(random) };
}

/** Before, while and after the held POST is carried out. */
function drawSignals(random: Random): TimedSignal[] {
  return Array.from({ length: random.integer(1, 4) }, () => ({
    ask: random.weighted<TimedSignal['ask']>([
      ['check', 40],
      ['cancel', 30],
      ['capture', 30],
    ]),
    afterMs: random.integer(200, 3_200),
  }));
}
