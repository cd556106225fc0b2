import { setTimeout as sleep } from 'node:timers/promises';
import { addressOf, playUntilPaid, settled } from '../payment/order-payment.js';
import { give, insist, repeatAccepted, type Scene } from '../scene.js';
import { amountOf } from '../wire-money.js';
import type { Step } from './endings.js';
import type { AuthorizePlan } from './plan.js';

export interface HoldScene extends Scene {
  readonly plan: AuthorizePlan;
}

/** Plays the whole story; every request and its answers are on record from the moment they are made. */
export async function playAuthorize(scene: HoldScene): Promise<void> {
  const { plan } = scene;
  const held = await playUntilPaid(scene, plan, {
    intent: 'authorize',
    capturePolicy: { mode: plan.ending.isByPolicy ? 'automatic' : 'manual' },
  });
  if (held.state === 'authorized') await playSteps(scene, addressOf(held.id), plan.ending.steps);
  await settled(scene, held.id);
  if (plan.repeatsWhatIsDone) await repeatAccepted(scene);
}

/** One after the other, as long as each succeeds. */
async function playSteps(scene: HoldScene, payment: string, steps: readonly Step[]): Promise<void> {
  await sleep(scene.plan.thinkMs, undefined, { signal: scene.signal });
  for (const step of steps) {
    if (!(await playStep(scene, payment, step))) return;
  }
}

async function playStep(scene: HoldScene, payment: string, step: Step): Promise<boolean> {
  if (step.ask === 'at once') return race(scene, payment, step.steps);
  const { path, body } = requestOf(scene.plan, payment, step);
  return (await insist(scene, step.ask, path, body)).outcome === 'succeeded';
}

/** One wins. Should the winner then fail at the provider, the order service still wants what the last of them ends. */
async function race(scene: HoldScene, payment: string, steps: readonly Step[]): Promise<boolean> {
  const given = steps.map((step) => {
    const { path, body } = requestOf(scene.plan, payment, step);
    return give(scene, step.ask, path, body);
  });
  const outcomes = await Promise.all(given);
  if (outcomes.some(({ outcome }) => outcome === 'succeeded')) return true;
  const last = steps.at(-1);
  return last !== undefined && playStep(scene, payment, last);
}

function requestOf(plan: AuthorizePlan, payment: string, step: Step): { path: string; body: object } {
  if (step.ask !== 'capture') return { path: `${payment}/${step.ask}`, body: {} };
  const { share, isFinal } = step;
  const amount = share === 'all' ? {} : { amount: amountOf((plan.minor / 5) * share, plan) };
  return { path: `${payment}/captures`, body: { ...amount, ...(isFinal && { final: true }) } };
}
