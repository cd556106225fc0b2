import { shop } from '../applications.js';
import type { Lifecycle } from '../lifecycle.js';
import type { PaymentView } from '../payment/payment-view.js';
import { takeStockOfPayment } from '../payment/take-stock.js';
import { type StoryRecord, referencesOf } from '../record.js';
import { endingsInParts, endingsOfHolds, type WeightedEndings } from './endings.js';
import { judgeAuthorize } from './judge.js';
import { drawAuthorizePlan } from './plan.js';
import { playAuthorize } from './play.js';

/** A payment of intent authorize, from the order to its capture, its release or its cancellation. */
export const authorizeLifecycle = lifecycleOf('authorize', endingsOfHolds);

/** A hold that is captured in parts, and of which the rest is given back by a request of its own. */
export const partialCaptureLifecycle = lifecycleOf('partial-capture', endingsInParts);

function lifecycleOf(name: string, endings: WeightedEndings): Lifecycle {
  return {
    name,
    applications: [shop],
    operations: {
      moneyPosts: ['payment.execute', 'authorization.capture', 'authorization.void'],
      otherPosts: ['payment.create'],
      keyedPosts: ['payment.execute', 'authorization.void'],
      reads: ['payment.get', 'payment.list', 'authorization.get', 'capture.get'],
    },
    draw(random, orderId) {
      const plan = drawAuthorizePlan(random, orderId, endings);
      const record: StoryRecord<PaymentView> = { commands: [], repeats: [] };
      return {
        title: `${plan.approval}; ${plan.ending.title}`,
        application: shop.name,
        play: (cast, signal) => playAuthorize({ ...cast, plan, record, signal }),
        takeStock: ({ orderService }, signal) => takeStockOfPayment(record, { orderService, signal }),
        references: () => referencesOf(record),
        judge: (movements) => judgeAuthorize(plan, record, movements),
      };
    },
  };
}
