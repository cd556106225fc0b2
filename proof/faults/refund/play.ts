import { setTimeout as sleep } from 'node:timers/promises';
import { addressOf } from '../payment/order-payment.js';
import { paymentView } from '../payment/payment-view.js';
import { orderedId, type ScenarioRecord } from '../record.js';
import { give, insist, repeatAnswered, type Scene } from '../scene.js';
import { amountOf } from '../wire-money.js';
import { collect, type CollectedMoney, type CollectedPayment } from './collect.js';
import type { RefundPlan } from './plan.js';
import { type RefundedPayment, refundList, type RefundView, settledRefunds } from './refund-view.js';
import { countSteps, type Step, type Wanted } from './courses.js';

export interface RefundRecord extends ScenarioRecord<RefundedPayment> {
  /** Ids of the chargebacks that the engine has shown while the scenario was played. */
  chargebacksReported?: readonly string[];
}

export interface RefundScene extends Scene {
  readonly plan: RefundPlan;
  readonly record: RefundRecord;
}

/** Of refunds that nobody made by the engine, so that the books show who has made them. */
export const elsewherePrefix = 'elsewhere-';
const lookEveryMs = 500;
/** Longer than the run of a payment that has ended lives on, also where a worker has just been killed. */
const longAfterMs = 12_000;

export async function playRefund(scene: RefundScene): Promise<void> {
  const { plan, signal } = scene;
  const payment = await collect(scene, plan);
  if (payment) {
    await sleep(plan.thinkMs, undefined, { signal });
    for (const step of plan.course.steps) await playStep(scene, payment, step);
    await untilReported(scene, payment, {
      elsewhere: countSteps(plan.course, 'elsewhere'),
      chargebacks: countSteps(plan.course, 'chargeback'),
    });
  }
  if (plan.repeatsWhatIsDone) await repeatAnswered(scene);
}

/** After the faults: repeats every answered request and reads the engine's last answer. */
export async function takeStockOfRefunds(
  record: RefundRecord,
  { orderService, signal }: Pick<Scene, 'orderService' | 'signal'>,
): Promise<void> {
  await repeatAnswered({ orderService, record, signal });
  const id = orderedId(record);
  if (id === undefined) return;
  const address = addressOf(id);
  const { data: refunds } = await orderService.read(`${address}/refunds`, refundList, signal);
  record.final = { payment: await orderService.read(address, paymentView, signal), refunds };
}

async function playStep(scene: RefundScene, payment: CollectedPayment, step: Step): Promise<void> {
  const { plan, provider, account, signal } = scene;
  const path = `${addressOf(payment.id)}/refunds`;
  switch (step.ask) {
    case 'refund':
      await insist(scene, step.ask, path, bodyOf(plan, payment, step));
      return;
    case 'invalid refund':
      await give(scene, step.ask, path, bodyOf(plan, payment, step));
      return;
    case 'at once':
      await Promise.all(
        step.wanted.map((wanted) => give(scene, 'refund', path, bodyOf(plan, payment, wanted))),
      );
      return;
    case 'elsewhere': {
      const invoiceNumber = `${elsewherePrefix}${plan.orderId}`;
      await provider.refundElsewhere(sourceOf(payment, step), totalOf(plan, step), invoiceNumber);
      return;
    }
    case 'chargeback':
      await chargeBack(scene, payment, step);
      return;
    case 'old events':
      for (const { id } of payment.collected) await account.resendEventsAbout(id);
      return;
    case 'wait':
      await sleep(longAfterMs, undefined, { signal });
  }
}

/** Waits for the end of earlier refunds: the provider never shows how much was charged back while one is pending. */
async function chargeBack(scene: RefundScene, payment: CollectedPayment, wanted: Wanted): Promise<void> {
  const { plan, provider, record } = scene;
  const reported = record.chargebacksReported?.length ?? 0;
  await untilReported(scene, payment, { elsewhere: 0, chargebacks: reported });
  await provider.chargeBack(sourceOf(payment, wanted), totalOf(plan, wanted));
  const refunds = await untilReported(scene, payment, { elsewhere: 0, chargebacks: reported + 1 });
  record.chargebacksReported = refunds.filter(({ kind }) => kind === 'reversal').map(({ id }) => id);
}

function bodyOf(plan: RefundPlan, { collected }: CollectedPayment, { share, part }: Wanted): object {
  return {
    ...(share !== 'all' && { amount: amountOf((plan.minor / 5) * share, plan) }),
    ...(part !== undefined && { captureId: collected[part]?.id }),
  };
}

/** As the provider takes it; undefined: all that is left. */
function totalOf(plan: RefundPlan, { share }: Wanted): { total: string; currency: string } | undefined {
  if (share === 'all') return undefined;
  const { value: total, currency } = amountOf((plan.minor / 5) * share, plan);
  return { total, currency };
}

function sourceOf({ collected }: CollectedPayment, { part = 0 }: Wanted): CollectedMoney {
  const source = collected[part];
  if (!source) throw new RangeError(`nothing was collected as part ${part}`);
  return source;
}

/** Waits until all refunds and chargebacks are final, including those made elsewhere. */
async function untilReported(
  { orderService, signal }: RefundScene,
  { id }: CollectedPayment,
  least: { readonly elsewhere: number; readonly chargebacks: number },
): Promise<readonly RefundView[]> {
  for (;;) {
    const { data: refunds } = await orderService.read(`${addressOf(id)}/refunds`, refundList, signal);
    const chargebacks = refunds.filter(({ kind }) => kind === 'reversal').length;
    const elsewhere = refunds.filter(({ origin }) => origin === 'elsewhere').length - chargebacks;
    const isReported = elsewhere >= least.elsewhere && chargebacks >= least.chargebacks;
    if (isReported && refunds.every(({ state }) => settledRefunds.has(state))) return refunds;
    await sleep(lookEveryMs, undefined, { signal });
  }
}
