import { setTimeout as sleep } from 'node:timers/promises';
import { approvedAtOncePayee } from '../applications.js';
import type { Random } from '../random.js';
import { give, type Scene } from '../scene.js';
import { amountOf, type Currency, drawCurrency } from '../wire-money.js';
import { type PaymentView, paymentView } from './payment-view.js';

export type Approval =
  | 'at once'
  | 'by the payer'
  /** The payer closes the tab: the engine must find the approval itself. */
  | 'by a payer who never returns'
  | 'by a payer who returns thrice';

const approvals: readonly (readonly [Approval, number])[] = [
  ['by the payer', 60],
  ['at once', 20],
  ['by a payer who never returns', 10],
  ['by a payer who returns thrice', 10],
];

export interface PaymentPlan extends Currency {
  readonly orderId: string;
  /** Minor units of `currency`; a multiple of 5, so that parts of it are whole. */
  readonly minor: number;
  readonly approval: Approval;
  /** The payer cancels on the approval page. */
  readonly isCancelled: boolean;
  /** How long the order service, or the payer, thinks before each step. */
  readonly thinkMs: number;
  /** The order service repeats successful requests: a double click, a replayed queue. */
  readonly repeatsWhatIsDone: boolean;
}

/** @param isCancelled a payer who cancels is always asked. */
export function drawPaymentPlan(random: Random, orderId: string, isCancelled: boolean): PaymentPlan {
  return {
    orderId,
    minor: 5 * random.integer(2, 20_000),
    ...drawCurrency(random),
    isCancelled,
    approval: isCancelled ? 'by the payer' : random.weighted(approvals),
    thinkMs: random.integer(0, 600),
    repeatsWhatIsDone: random.chance(0.25),
  };
}

const beforeTheMoney: ReadonlySet<string> = new Set([
  'creating',
  'awaiting_approval',
  'authorizing',
  'executing',
]);
/**
 * The engine or the provider is still at work; any other state is a rest or an end. A review too may end by itself: the
 * provider is asked on, and who waits for the payment waits for that.
 */
const busy: ReadonlySet<string> = new Set([
  ...beforeTheMoney,
  'needs_review',
  'capturing',
  'voiding',
  'releasing',
  'reauthorizing',
  'pending',
]);

/**
 * Orders a payment, plays its payer, and waits for what becomes of it.
 *
 * @param settings of the order, beside its amount and addresses.
 */
export async function playUntilPaid(scene: Scene, plan: PaymentPlan, settings: object): Promise<PaymentView> {
  const { orderService, signal } = scene;
  const { id } = await order(scene, plan, settings);
  // The first answer can be that the order is under way; a person may even be asked about it in between.
  const created = await orderService.until(
    addressOf(id),
    paymentView,
    ({ state }) => state !== 'creating' && state !== 'needs_review',
    signal,
  );
  if (created.state === 'awaiting_approval') await playPayer(scene, plan, created.approvalUrl ?? '');
  return settled(scene, id);
}

/** Waits until the payment rests or has ended. */
export async function settled({ orderService, signal }: Scene, id: string): Promise<PaymentView> {
  return orderService.until(addressOf(id), paymentView, ({ state }) => !busy.has(state), signal);
}

export function addressOf(paymentId: string): string {
  return `/v1/payments/${paymentId}`;
}

/** Gives the order. @returns the first answer to it. */
export async function order(scene: Scene, plan: PaymentPlan, settings: object): Promise<PaymentView> {
  const { orderId, approval } = plan;
  const command = await give(scene, 'create', '/v1/payments', {
    orderId,
    amount: amountOf(plan.minor, plan),
    returnUrl: `https://shop.example/orders/${orderId}/paid`,
    cancelUrl: `https://shop.example/orders/${orderId}/cancelled`,
    ...(approval === 'at once' && { payee: { email: approvedAtOncePayee } }),
    ...settings,
  });
  if (command.answer === undefined)
    throw new Error(`order ${orderId} was not taken: ${command.detail ?? ''}`);
  return paymentView.parse(command.answer);
}

async function playPayer({ payer, signal }: Scene, plan: PaymentPlan, approvalUrl: string): Promise<void> {
  await sleep(plan.thinkMs, undefined, { signal });
  if (plan.isCancelled) {
    await payer.follow(await payer.cancel(approvalUrl, signal), signal);
    return;
  }
  const returnAddress = await payer.approve(approvalUrl, signal);
  if (plan.approval === 'by a payer who never returns') return;
  const tabs = plan.approval === 'by a payer who returns thrice' ? 3 : 1;
  await Promise.all(Array.from({ length: tabs }, () => payer.follow(returnAddress, signal)));
}
