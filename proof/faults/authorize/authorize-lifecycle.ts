import { type Application, shop } from '../applications.js';
import type { Lifecycle } from '../lifecycle.js';
import type { PaymentView } from '../payment/payment-view.js';
import { takeStockOfPayment } from '../payment/take-stock.js';
import { type ScenarioRecord, referencesOf } from '../record.js';
import {
  endingsInParts,
  endingsOfHolds,
  endingsUnderSignals,
  endingsWithDenials,
  type WeightedEndings,
} from './endings.js';
import { judgeAuthorize } from './judge.js';
import { captureSettleMs, drawAuthorizePlan, heldPosts, settledLater } from './plan.js';
import { playAuthorize } from './play.js';

/** A payment of intent authorize, from the order to its capture, its release or its cancellation. */
export const authorizeLifecycle = lifecycleOf('authorize', endingsOfHolds, shop);

/** A hold that is captured in parts, and of which the rest is given back by a request of its own. */
export const partialCaptureLifecycle = lifecycleOf('partial-capture', endingsInParts, shop);

/** A hold whose captures the provider has still to decide on: most become completed, some are denied. */
export const pendingCaptureLifecycle: Lifecycle = {
  ...lifecycleOf('pending-capture', endingsWithDenials, settledLater),
  outcomes: [
    {
      fault: { kind: 'pending', settlesAs: 'denied', afterMs: captureSettleMs },
      probability: 0.5,
      operations: ['authorization.capture'],
      application: settledLater.name,
    },
  ],
};

/** A hold of which checks, cancellations and captures are asked for while a POST that moves its money is on its way. */
export const signalledLifecycle: Lifecycle = {
  ...lifecycleOf('signalled', endingsUnderSignals, heldPosts),
  faults: [
    {
      fault: { kind: 'late', executeAfterMs: 900, delayMs: 3_000 },
      probability: 0.8,
      operations: ['authorization.capture', 'authorization.void'],
      application: heldPosts.name,
    },
  ],
};

/** @param application for which it plays. */
export function lifecycleOf(name: string, endings: WeightedEndings, application: Application): Lifecycle {
  return {
    name,
    applications: [application],
    operations: {
      moneyPosts: ['payment.execute', 'authorization.capture', 'authorization.void'],
      otherPosts: ['payment.create'],
      keyedPosts: ['payment.execute', 'authorization.void'],
      reads: ['payment.get', 'payment.list', 'authorization.get', 'capture.get'],
    },
    draw(random, orderId) {
      const plan = drawAuthorizePlan(random, orderId, endings, application);
      const record: ScenarioRecord<PaymentView> = { commands: [], repeats: [] };
      return {
        title: `${plan.approval}; ${plan.ending.title}`,
        application: plan.application,
        play: (participants, signal) => playAuthorize({ ...participants, plan, record, signal }),
        takeStock: ({ orderService }, signal) => takeStockOfPayment(record, { orderService, signal }),
        references: () => referencesOf(record),
        judge: (movements) => judgeAuthorize(plan, record, movements),
      };
    },
  };
}
