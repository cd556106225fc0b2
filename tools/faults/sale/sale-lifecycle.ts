import { type Application, shop, variantOfShop } from '../applications.js';
import type { Lifecycle } from '../lifecycle.js';
import { drawPaymentPlan, type PaymentPlan, playUntilPaid } from '../payment/order-payment.js';
import type { PaymentView } from '../payment/payment-view.js';
import { takeStockOfPayment } from '../payment/take-stock.js';
import type { Random } from '../random.js';
import { type StoryRecord, referencesOf } from '../record.js';
import { repeatAccepted, type Scene } from '../scene.js';
import { judgeSale } from './judge.js';

/** In milliseconds: long enough for a webhook to tell of both, and for a process to die in between. */
const saleSettleMs = 4_000;
const settledLater = variantOfShop('sales-settled', { saleOutcome: 'pending_then_completed', saleSettleMs });
const deniedLater = variantOfShop('sales-denied', { saleOutcome: 'pending_then_denied', saleSettleMs });

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

/** A payment of intent sale, from the order until the money is there, or is denied. */
export const saleLifecycle: Lifecycle = {
  name: 'sale',
  applications: [shop, settledLater, deniedLater],
  operations: {
    moneyPosts: ['payment.execute'],
    otherPosts: ['payment.create'],
    keyedPosts: ['payment.execute'],
    reads: ['payment.get', 'payment.list', 'sale.get'],
  },
  draw(random, orderId) {
    const plan = drawSalePlan(random, orderId);
    const record: StoryRecord<PaymentView> = { commands: [], repeats: [] };
    return {
      title: `${plan.approval}; ${plan.state} at ${plan.application}`,
      application: plan.application,
      play: (cast, signal) => playSale(plan, { ...cast, record, signal }),
      takeStock: ({ orderService }, signal) => takeStockOfPayment(record, { orderService, signal }),
      references: () => referencesOf(record),
      judge: (movements) => judgeSale(plan, record, movements),
    };
  },
};

function drawSalePlan(random: Random, orderId: string): SalePlan {
  const { from, state } = random.weighted(outcomes);
  return { ...drawPaymentPlan(random, orderId, state === 'cancelled'), application: from.name, state };
}

async function playSale(plan: SalePlan, scene: Scene): Promise<void> {
  await playUntilPaid(scene, plan, { intent: 'sale' });
  if (plan.repeatsWhatIsDone) await repeatAccepted(scene);
}
