import { type Application, shop, variantOfShop } from '../applications.js';
import { drawPaymentPlan, type PaymentPlan } from '../payment/order-payment.js';
import type { Random } from '../random.js';

/** In milliseconds: long enough for a webhook to report both, and for a process to die in between. */
const saleSettleMs = 4_000;
const settledLater = variantOfShop('sales-settled', { saleOutcome: 'pending_then_completed', saleSettleMs });
const deniedLater = variantOfShop('sales-denied', { saleOutcome: 'pending_then_denied', saleSettleMs });

export const applicationsOfSales: readonly Application[] = [shop, settledLater, deniedLater];

export interface SalePlan extends PaymentPlan {
  /** Its sales are there at once, later, or never. */
  readonly application: string;
  readonly state: 'completed' | 'declined' | 'cancelled';
}

const outcomes: readonly (readonly [Pick<SalePlan, 'state'> & { readonly from: Application }, number])[] = [
  [{ from: shop, state: 'completed' }, 60],
  [{ from: settledLater, state: 'completed' }, 20],
  [{ from: deniedLater, state: 'declined' }, 10],
  [{ from: shop, state: 'cancelled' }, 10],
];

export function drawSalePlan(random: Random, orderId: string): SalePlan {
  const { from, state } = random.weighted(outcomes);
  return { ...drawPaymentPlan(random, orderId, state === 'cancelled'), application: from.name, state };
}
