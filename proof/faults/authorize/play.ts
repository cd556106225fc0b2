import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from '../order-service.js';
import { addressOf, playUntilPaid, settled } from '../payment/order-payment.js';
import { give, insist, mostTries, repeatAnswered, type Scene } from '../scene.js';
import { amountOf } from '../wire-money.js';
import { captureIdOf, type PaymentView } from '../payment/payment-view.js';
import type { Step } from './endings.js';
import type { AuthorizePlan, TimedSignal } from './plan.js';

export interface HoldScene extends Scene {
  readonly plan: AuthorizePlan;
}

/** A capture that the provider denies is tried again: so many times in all. */
const mostDenials = 3;

/** Plays the whole scenario and records every request and its answers at once. */
export async function playAuthorize(scene: HoldScene): Promise<void> {
  const { plan } = scene;
  const held = await playUntilPaid(scene, plan, {
    intent: 'authorize',
    capturePolicy: { mode: plan.ending.isByPolicy ? 'automatic' : 'manual' },
  });
  if (held.state === 'authorized') await playSteps(scene, held.id, plan.ending.steps);
  const rested = await settled(scene, held.id);
  if (isDenied(plan, rested)) await insistAtRest(scene, held.id, { ask: 'void' });
  if (plan.repeatsWhatIsDone) await repeatAnswered(scene);
}

/** One after the other, as long as each succeeds. */
async function playSteps(scene: HoldScene, id: string, steps: readonly Step[]): Promise<void> {
  await sleep(scene.plan.thinkMs, undefined, { signal: scene.signal });
  for (const step of steps) {
    if (!(await playStep(scene, id, step))) return;
  }
}

async function playStep(scene: HoldScene, id: string, step: Step): Promise<boolean> {
  if (step.ask === 'at once') return race(scene, id, step.steps);
  if (step.ask === 'under signals') return playUnderSignals(scene, id, step.step);
  for (let tries = 1; tries <= mostDenials; tries += 1) {
    const command = await insistAtRest(scene, id, step);
    if (command.outcome !== 'succeeded') return false;
    if (step.ask !== 'capture' || !(await isDeniedLater(scene, id, command))) return true;
  }
  return false;
}

async function playUnderSignals(scene: HoldScene, id: string, step: Step): Promise<boolean> {
  const signals = scene.plan.signals.map((signal) => send(scene, id, signal));
  const [isDone] = await Promise.all([playStep(scene, id, step), ...signals]);
  return isDone;
}

/** Each may be refused: what it was answered, and what the books show, must agree. */
async function send(scene: HoldScene, id: string, { ask, afterMs }: TimedSignal): Promise<void> {
  const { orderService, plan, signal } = scene;
  await sleep(afterMs, undefined, { signal });
  if (ask === 'check') return orderService.check(addressOf(id), signal);
  if (ask === 'cancel') {
    await give(scene, 'cancel', `${addressOf(id)}/cancel`, {});
    return;
  }
  const { path, body } = requestOf(plan, id, { ask, share: 1 });
  await give(scene, ask, path, body);
}

/**
 * Asked only while the payment is shown at rest. Refused all the same, it had shown a reading of a lost task that its run has yet
 * to make again (docs/decisions/0018): like a real order service, this one looks again and asks again, under a new key.
 */
async function insistAtRest(scene: HoldScene, id: string, step: Step): Promise<Command> {
  const { path, body } = requestOf(scene.plan, id, step);
  for (let tries = 1; ; tries += 1) {
    const command = await insist(scene, step.ask, path, body);
    if (command.outcome !== 'refused' || tries === mostTries) return command;
    await settled(scene, id);
  }
}

/** The answer to a capture may be that it is pending: the next step depends on how that ends. */
async function isDeniedLater(scene: HoldScene, id: string, command: Command): Promise<boolean> {
  const { captures } = await settled(scene, id);
  const captureId = captureIdOf(command);
  return captures.some((capture) => capture.id === captureId && capture.state === 'denied');
}

/** A hold of which the provider has denied what the order service wanted, or what its policy did. */
function isDenied({ ending }: AuthorizePlan, { state, captures }: PaymentView): boolean {
  const isHeld = state === 'authorized' || state === 'partially_captured';
  return ending.hasDenials === true && isHeld && captures.some((capture) => capture.state === 'denied');
}

/** One succeeds. If that one then fails at the provider, the order service still wants the last step. */
async function race(scene: HoldScene, id: string, steps: readonly Step[]): Promise<boolean> {
  const given = steps.map((step) => {
    const { path, body } = requestOf(scene.plan, id, step);
    return give(scene, step.ask, path, body);
  });
  const outcomes = await Promise.all(given);
  if (outcomes.some(({ outcome }) => outcome === 'succeeded')) return true;
  const last = steps.at(-1);
  return last !== undefined && playStep(scene, id, last);
}

function requestOf(plan: AuthorizePlan, id: string, step: Step): { path: string; body: object } {
  const payment = addressOf(id);
  if (step.ask !== 'capture') return { path: `${payment}/${step.ask}`, body: {} };
  const { share, isFinal } = step;
  const amount = share === 'all' ? {} : { amount: amountOf((plan.minor / 5) * share, plan) };
  return { path: `${payment}/captures`, body: { ...amount, ...(isFinal && { final: true }) } };
}
