import type { Lifecycle } from '../lifecycle.js';
import { playUntilPaid } from '../payment/order-payment.js';
import type { PaymentView } from '../payment/payment-view.js';
import { takeStockOfPayment } from '../payment/take-stock.js';
import { type ScenarioRecord, referencesOf } from '../record.js';
import { repeatAnswered, type Scene } from '../scene.js';
import { judgeSale } from './judge.js';
import { applicationsOfSales, drawSalePlan, type SalePlan } from './plan.js';

/** A payment of intent sale, from the order until the money is there, or is denied. */
export const saleLifecycle: Lifecycle = {
  name: 'sale',
  applications: applicationsOfSales,
  operations: {
    moneyPosts: ['payment.execute'],
    otherPosts: ['payment.create'],
    keyedPosts: ['payment.execute'],
    reads: ['payment.get', 'payment.list', 'sale.get'],
  },
  draw(random, orderId) {
    const plan = drawSalePlan(random, orderId);
    const record: ScenarioRecord<PaymentView> = { commands: [], repeats: [] };
    return {
      title: `${plan.approval}; ${plan.state} at ${plan.application}`,
      application: plan.application,
      play: (participants, signal) => playSale(plan, { ...participants, record, signal }),
      takeStock: ({ orderService }, signal) => takeStockOfPayment(record, { orderService, signal }),
      references: () => referencesOf(record),
      judge: (movements) => judgeSale(plan, record, movements),
    };
  },
};

async function playSale(plan: SalePlan, scene: Scene): Promise<void> {
  await playUntilPaid(scene, plan, { intent: 'sale' });
  if (plan.repeatsWhatIsDone) await repeatAnswered(scene);
}
