import { setTimeout as sleep } from 'node:timers/promises';
import { playAim } from '../deadline/play-aim.js';
import { orderedId, type ScenarioRecord } from '../record.js';
import { give, insist, repeatAnswered, type Scene } from '../scene.js';
import { amountOf } from '../wire-money.js';
import { cycles, endOf, type SubscriptionPlan } from './plan.js';
import {
  everyPayment,
  paymentList,
  planView,
  type SubscribedPayer,
  subscriptionView,
  type SubscriptionView,
} from './subscription-view.js';

export type SubscriptionRecord = ScenarioRecord<SubscribedPayer>;

export interface SubscriptionScene extends Scene {
  readonly plan: SubscriptionPlan;
  readonly record: SubscriptionRecord;
}

/** Longer than plan, agreement and approval take while faults delay them: an agreement cannot begin in the past. */
const beginsAfterMs = 60_000;
const lookEveryMs = 500;
const onboarding: ReadonlySet<string> = new Set(['creating', 'awaiting_approval', 'executing', 'pending']);
const ended: ReadonlySet<string> = new Set(['cancelled', 'expired', 'declined', 'lapsed', 'needs_review']);

export async function playSubscription(scene: SubscriptionScene): Promise<void> {
  const { plan, orderService, signal } = scene;
  const address = addressOf((await order(scene)).id);
  // While the engine tries whether the payer has approved already, there is no address to send the payer to.
  const offered = await orderService.until(
    address,
    subscriptionView,
    ({ state, approvalUrl }) => approvalUrl !== null || !onboarding.has(state),
    signal,
  );
  if (offered.approvalUrl !== null) await playPayer(scene, offered, offered.approvalUrl);
  const begun = await orderService.until(
    address,
    subscriptionView,
    ({ state }) => !onboarding.has(state),
    signal,
  );
  if (begun.state === 'active') await playEnding(scene, address);
  const isOver = ({ state }: SubscriptionView): boolean => ended.has(state) || state === endOf(plan, false);
  await orderService.until(address, subscriptionView, isOver, signal);
  // Held against what is shown later.
  await orderService.read(`${address}/payments${everyPayment}`, paymentList, signal);
  if (plan.repeatsWhatIsDone) await repeatAnswered(scene);
}

/** The engine reads the payments again once reads no longer lag: an outcome horizon after the end, and a poll later. */
const shownWithinMs = 90_000;

type Stocktaking = Pick<SubscriptionScene, 'record' | 'orderService' | 'account' | 'signal'>;

/**
 * After the faults: repeats every answered request and reads the last answers of engine and provider. A payment that was
 * collected just before the end may be shown a little later.
 */
export async function takeStockOfSubscription(plan: SubscriptionPlan, taking: Stocktaking): Promise<void> {
  const { record, orderService, account, signal } = taking;
  await repeatAnswered({ orderService, record, signal });
  const id = orderedId(record);
  if (id === undefined) return;
  const agreementIds = await account.agreementsNamed(plan.orderId);
  for (const deadline = Date.now() + shownWithinMs; ; await sleep(lookEveryMs, undefined, { signal })) {
    const collected = await Promise.all(agreementIds.map((agreementId) => account.collectedFor(agreementId)));
    record.final = await readLast(addressOf(id), plan, agreementIds, taking);
    const shown = new Set(record.final.payments.payments.map((payment) => payment.id));
    if (collected.flat().every((saleId) => shown.has(saleId)) || Date.now() >= deadline) return;
  }
}

async function readLast(
  address: string,
  { terms }: SubscriptionPlan,
  agreementIds: readonly string[],
  { orderService, account, signal }: Stocktaking,
): Promise<SubscribedPayer> {
  return {
    subscription: await orderService.read(address, subscriptionView, signal),
    payments: await orderService.read(`${address}/payments${everyPayment}`, paymentList, signal),
    agreements: await Promise.all(agreementIds.map((agreementId) => account.agreement(agreementId))),
    plans: await account.countPlansNamed(terms.name),
  };
}

function addressOf(subscriptionId: string): string {
  return `/v1/subscriptions/${subscriptionId}`;
}

async function order(scene: SubscriptionScene): Promise<SubscriptionView> {
  const { orderId, terms, aim } = scene.plan;
  const value = (minor: number): string => amountOf(minor, terms).value;
  const { answer: plan, detail } = await give(scene, 'plan', '/v1/plans', {
    name: terms.name,
    description: `${terms.name}, every day`,
    currency: terms.currency,
    regular: { frequency: 'DAY', cycles, amount: value(terms.cycleMinor) },
    ...(terms.feeMinor > 0 && { setupFee: value(terms.feeMinor), setupFeeFailure: terms.feeFailure }),
  });
  if (plan === undefined) throw new Error(`plan ${terms.name} was not taken: ${detail ?? ''}`);
  const command = await give(scene, 'create', '/v1/subscriptions', {
    planId: planView.parse(plan).id,
    startDate: new Date(Date.now() + beginsAfterMs).toISOString(),
    // By it the provider shows whatever was agreed for this order.
    name: orderId,
    returnUrl: `https://shop.example/orders/${orderId}/welcome`,
    cancelUrl: `https://shop.example/orders/${orderId}/cancelled`,
    ...(aim && { approvalTimeoutSeconds: aim.approvalTimeoutSeconds }),
  });
  if (command.answer === undefined)
    throw new Error(`order ${orderId} was not taken: ${command.detail ?? ''}`);
  return subscriptionView.parse(command.answer);
}

async function playPayer(
  scene: SubscriptionScene,
  { id, approvalBy }: SubscriptionView,
  approvalUrl: string,
): Promise<void> {
  const { plan, payer, signal } = scene;
  if (plan.aim && approvalBy !== null) {
    await playAim(scene, plan.aim, {
      address: addressOf(id),
      approvalUrl,
      approvalBy: Date.parse(approvalBy),
    });
    return;
  }
  await sleep(plan.thinkMs, undefined, { signal });
  if (plan.ending === 'the payer cancels') {
    await payer.follow(await payer.cancel(approvalUrl, signal), signal);
    return;
  }
  const returnAddress = await payer.approve(approvalUrl, signal);
  if (plan.hasReturningPayer) await payer.follow(returnAddress, signal);
}

async function playEnding(scene: SubscriptionScene, subscription: string): Promise<void> {
  const { plan, signal } = scene;
  await sleep(plan.thinkMs, undefined, { signal });
  switch (plan.ending) {
    case 'suspend':
      await ask(scene, subscription, 'suspend');
      return;
    case 'suspend and reactivate':
      if (await ask(scene, subscription, 'suspend')) {
        await sleep(plan.thinkMs, undefined, { signal });
        await ask(scene, subscription, 'reactivate');
      }
      return;
    case 'cancel':
      await ask(scene, subscription, 'cancel');
      return;
    case 'cancelled elsewhere':
      await cancelElsewhere(scene);
      return;
    case 'run to its end':
    case 'the payer cancels':
  }
}

async function ask(
  scene: SubscriptionScene,
  subscription: string,
  what: 'suspend' | 'reactivate' | 'cancel',
): Promise<boolean> {
  const { outcome } = await insist(scene, what, `${subscription}/${what}`, {
    note: 'as the campaign has it',
  });
  return outcome === 'succeeded';
}

/** A read that lags does not show it yet. */
async function cancelElsewhere({ plan, account, signal }: SubscriptionScene): Promise<void> {
  for (;;) {
    const ids = await account.agreementsNamed(plan.orderId);
    for (const id of ids) await account.cancelAgreement(id);
    if (ids.length > 0) return;
    await sleep(lookEveryMs, undefined, { signal });
  }
}
