import { setTimeout as sleep } from 'node:timers/promises';
import { addressOf, playUntilPaid } from '../payment/order-payment.js';
import { type PaymentView, paymentView } from '../payment/payment-view.js';
import type { ScenarioRecord } from '../record.js';
import { insist, repeatAnswered, type Scene } from '../scene.js';
import type { ExpiryPlan } from './plan.js';

export interface ExpiryRecord extends ScenarioRecord<PaymentView> {
  /** The engine has reported that the funds are reauthorized. */
  isReauthorizationReported?: boolean;
}

export interface ExpiryScene extends Scene {
  readonly plan: ExpiryPlan;
  readonly record: ExpiryRecord;
}

const ended: ReadonlySet<string> = new Set([
  'captured',
  'voided',
  'declined',
  'cancelled',
  'expired',
  'needs_review',
]);
/** By which clocks differ that count the same days. */
const clocksDifferMs = 500;

export async function playExpiry(scene: ExpiryScene): Promise<void> {
  const { plan, orderService, signal } = scene;
  const held = await playUntilPaid(scene, plan, { intent: 'authorize', ...plan.course.policies });
  const address = addressOf(held.id);
  if (!ended.has(held.state)) await playReauthorization(scene, address, held);
  const reauthorized = await orderService.read(address, paymentView, signal);
  const { ask, asksLate } = plan.course;
  if (ask && !ended.has(reauthorized.state)) {
    if (asksLate) await sleepUntilUnguaranteed(held, signal);
    await sleep(plan.thinkMs, undefined, { signal });
    await insist(scene, ask, ask === 'capture' ? `${address}/captures` : `${address}/void`, {});
  }
  await orderService.until(address, paymentView, hasEnded, signal);
  if (plan.repeatsWhatIsDone) await repeatAnswered(scene);
}

/** Until the funds are reauthorized, or will not be any more. */
async function playReauthorization(scene: ExpiryScene, address: string, held: PaymentView): Promise<void> {
  const { plan, record, orderService, signal } = scene;
  const honourUntil = Date.parse(held.deadlines.honourUntil ?? '');
  const isReauthorized = ({ deadlines }: PaymentView): boolean =>
    deadlines.honourUntil !== null && Date.parse(deadlines.honourUntil) > honourUntil;
  switch (plan.course.reauthorization) {
    case 'none':
      return;
    case 'on request':
      await sleepUntilUnguaranteed(held, signal);
      await insist(scene, 'reauthorize', `${address}/reauthorize`, {});
      return;
    case 'by policy': {
      const isOver = (seen: PaymentView): boolean => isReauthorized(seen) || hasEnded(seen);
      const seen = await orderService.until(address, paymentView, isOver, signal);
      record.isReauthorizationReported = isReauthorized(seen);
    }
  }
}

async function sleepUntilUnguaranteed({ deadlines }: PaymentView, signal: AbortSignal): Promise<void> {
  const honourUntil = Date.parse(deadlines.honourUntil ?? '');
  await sleep(Math.max(0, honourUntil + clocksDifferMs - Date.now()), undefined, { signal });
}

function hasEnded({ state }: PaymentView): boolean {
  return ended.has(state);
}
