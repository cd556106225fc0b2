import { addressOf, playUntilPaid, settled } from '../payment/order-payment.js';
import { captureIdOf, type PaymentView, paymentView } from '../payment/payment-view.js';
import { insist, type Scene } from '../scene.js';
import { amountOf } from '../wire-money.js';
import type { RefundPlan } from './plan.js';

/** One capture or sale of a payment. */
export interface CollectedMoney {
  readonly kind: 'sale' | 'capture';
  /** The provider's id of it. */
  readonly id: string;
}

export interface CollectedPayment {
  readonly id: string;
  /** In the order in which it was collected. */
  readonly collected: readonly CollectedMoney[];
}

/** Orders a payment and collects it, as a whole or in parts. Undefined where the provider did not do it. */
export async function collect(scene: Scene, plan: RefundPlan): Promise<CollectedPayment | undefined> {
  const { parts } = plan.course;
  const isByPolicy = plan.intent === 'authorize' && parts === undefined;
  const paid = await playUntilPaid(scene, plan, {
    intent: plan.intent,
    ...(isByPolicy && { capturePolicy: { mode: 'automatic' } }),
  });
  if (parts) return paid.state === 'authorized' ? captureParts(scene, plan, paid.id, parts) : undefined;
  const { state, sale, captures } = await untilCollected(scene, paid);
  if (state === 'completed' && sale) return { id: paid.id, collected: [{ kind: 'sale', id: sale.id }] };
  if (state !== 'captured') return undefined;
  return { id: paid.id, collected: captures.map(({ id }) => ({ kind: 'capture', id })) };
}

async function captureParts(
  scene: Scene,
  plan: RefundPlan,
  id: string,
  parts: readonly number[],
): Promise<CollectedPayment | undefined> {
  const collected: CollectedMoney[] = [];
  for (const part of parts) {
    const amount = amountOf((plan.minor / 5) * part, plan);
    const captureId = captureIdOf(await insist(scene, 'capture', `${addressOf(id)}/captures`, { amount }));
    if (captureId === undefined) return undefined;
    collected.push({ kind: 'capture', id: captureId });
    // The answer may be "pending": nothing else can be requested until it is final.
    await settled(scene, id);
  }
  return { id, collected };
}

/** A hold rests as authorized for a moment before its policy captures it. */
function untilCollected({ orderService, signal }: Scene, { id }: PaymentView): Promise<PaymentView> {
  return orderService.until(addressOf(id), paymentView, isCapturedByPolicy, signal);
}

function isCapturedByPolicy({ state }: PaymentView): boolean {
  return state !== 'authorized' && state !== 'capturing';
}
