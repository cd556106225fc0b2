import { setTimeout as sleep } from 'node:timers/promises';
import { addressOf, order, settled } from '../payment/order-payment.js';
import { give, repeatAnswered, type Scene } from '../scene.js';
import type { DeadlinePlan, TimedAct } from './plan.js';

/**
 * A payer who returns close to the deadline, while the order is cancelled and checks are requested: signals that meet
 * the workflow task of the last lookup. Order service and payer record the end that they are told.
 */
export async function playDeadline(scene: Scene, plan: DeadlinePlan): Promise<void> {
  const { approvalTimeoutSeconds, intent } = plan;
  const { id, approvalUrl, deadlines } = await order(scene, plan, { intent, approvalTimeoutSeconds });
  if (deadlines.approvalBy && approvalUrl) {
    const approvalBy = Date.parse(deadlines.approvalBy);
    const approved = approve(scene, plan, { approvalUrl, approvalBy });
    await Promise.all(plan.acts.map((timed) => perform(scene, { id, approvalBy, approved }, timed)));
    await approved;
  }
  await settled(scene, id);
  if (plan.repeatsWhatIsDone) await repeatAnswered(scene);
}

/** @returns the address to which the provider sends the payer; undefined where the payer never approves. */
async function approve(
  { payer, signal }: Scene,
  { approvesAfterMs }: DeadlinePlan,
  { approvalUrl, approvalBy }: { approvalUrl: string; approvalBy: number },
): Promise<string | undefined> {
  if (approvesAfterMs === undefined) return undefined;
  await until(approvalBy + approvesAfterMs, signal);
  return payer.approve(approvalUrl, signal);
}

async function perform(
  scene: Scene,
  { id, approvalBy, approved }: { id: string; approvalBy: number; approved: Promise<string | undefined> },
  { act, afterMs }: TimedAct,
): Promise<void> {
  const { payer, orderService, signal } = scene;
  await until(approvalBy + afterMs, signal);
  switch (act) {
    case 'the payer returns': {
      const address = await approved;
      if (address !== undefined) await payer.follow(address, signal);
      return;
    }
    case 'the order is cancelled':
      await give(scene, 'cancel', `${addressOf(id)}/cancel`, {});
      return;
    case 'a check':
      await orderService.check(addressOf(id), signal);
  }
}

async function until(instant: number, signal: AbortSignal): Promise<void> {
  await sleep(Math.max(0, instant - Date.now()), undefined, { signal });
}
