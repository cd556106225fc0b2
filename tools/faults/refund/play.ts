import { setTimeout as sleep } from 'node:timers/promises';
import { addressOf, playUntilPaid } from '../payment/order-payment.js';
import { type PaymentView, paymentView } from '../payment/payment-view.js';
import { orderedId, type StoryRecord } from '../record.js';
import { give, insist, repeatAccepted, type Scene } from '../scene.js';
import { amountOf } from '../wire-money.js';
import { hasElsewhere, type RefundPlan, type Step } from './plan.js';
import { type RefundedPayment, refundList, settledRefunds } from './refund-view.js';

export type RefundRecord = StoryRecord<RefundedPayment>;

export interface RefundScene extends Scene {
  readonly plan: RefundPlan;
  readonly record: RefundRecord;
}

/** Of refunds that nobody made by the engine, so that the books show who has made them. */
export const elsewherePrefix = 'elsewhere-';
const lookEveryMs = 500;

export async function playRefund(scene: RefundScene): Promise<void> {
  const { plan, signal } = scene;
  const paid = await playUntilPaid(scene, plan, {
    intent: plan.intent,
    ...(plan.intent === 'authorize' && { capturePolicy: { mode: 'automatic' } }),
  });
  const collected = await untilCollected(scene, paid);
  if (collected) {
    await sleep(plan.thinkMs, undefined, { signal });
    for (const step of plan.wish.steps) await playStep(scene, collected, step);
    await untilSettled(scene, collected);
  }
  if (plan.repeatsWhatIsDone) await repeatAccepted(scene);
}

/** When nothing fails any more: every accepted request once more, then the engine's last word. */
export async function takeStockOfRefunds(
  record: RefundRecord,
  { orderService, signal }: Pick<Scene, 'orderService' | 'signal'>,
): Promise<void> {
  await repeatAccepted({ orderService, record, signal });
  const id = orderedId(record);
  if (id === undefined) return;
  const address = addressOf(id);
  const { refunds } = await orderService.read(`${address}/refunds`, refundList, signal);
  record.final = { payment: await orderService.read(address, paymentView, signal), refunds };
}

/** A hold rests as authorized for a moment before its policy captures it. */
async function untilCollected(
  { orderService, signal }: RefundScene,
  { id }: PaymentView,
): Promise<PaymentView | undefined> {
  const payment = await orderService.until(addressOf(id), paymentView, isCapturedByPolicy, signal);
  return payment.state === 'captured' || payment.state === 'completed' ? payment : undefined;
}

function isCapturedByPolicy({ state }: PaymentView): boolean {
  return state !== 'authorized' && state !== 'capturing';
}

async function playStep(scene: RefundScene, payment: PaymentView, step: Step): Promise<void> {
  const { plan, provider } = scene;
  const path = `${addressOf(payment.id)}/refunds`;
  const share = (fifths: number): { value: string; currency: string } =>
    amountOf((plan.minor / 5) * fifths, plan);
  const bodyOf = (wanted: number | 'all'): object => (wanted === 'all' ? {} : { amount: share(wanted) });
  switch (step.ask) {
    case 'refund':
      await insist(scene, 'refund', path, bodyOf(step.share));
      return;
    case 'at once':
      await Promise.all(step.shares.map((wanted) => give(scene, 'refund', path, bodyOf(wanted))));
      return;
    case 'elsewhere': {
      const { value: total, currency } = share(step.share);
      await provider.refundElsewhere(collectedOf(payment), {
        amount: { total, currency },
        invoice_number: `${elsewherePrefix}${plan.orderId}`,
      });
    }
  }
}

function collectedOf({ sale, captures }: PaymentView): {
  readonly kind: 'sale' | 'capture';
  readonly id: string;
} {
  return sale ? { kind: 'sale', id: sale.id } : { kind: 'capture', id: captures[0]?.id ?? '' };
}

/** Until everything that went back is there or has failed, also what the engine was not asked for. */
async function untilSettled({ plan, orderService, signal }: RefundScene, { id }: PaymentView): Promise<void> {
  for (;;) {
    const { refunds } = await orderService.read(`${addressOf(id)}/refunds`, refundList, signal);
    const isTold = !hasElsewhere(plan.wish) || refunds.some(({ origin }) => origin === 'elsewhere');
    if (isTold && refunds.every(({ status }) => settledRefunds.has(status))) return;
    await sleep(lookEveryMs, undefined, { signal });
  }
}
