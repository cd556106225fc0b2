import { setTimeout as sleep } from 'node:timers/promises';
import { give, type Scene } from '../scene.js';
import type { DeadlineAim, TimedAct } from './plan.js';

/** What waits for its payer's approval, and until when. */
interface Awaited {
  readonly address: string;
  readonly approvalUrl: string;
  /** In milliseconds since the epoch. */
  readonly approvalBy: number;
}

/**
 * A payer who returns close to the deadline, while the order is cancelled and checks are requested: signals that meet
 * the workflow task of the last look. Order service and payer record the end that they are shown.
 */
export async function playAim(scene: Scene, aim: DeadlineAim, awaited: Awaited): Promise<void> {
  const approved = approve(scene, aim, awaited);
  await Promise.all(aim.acts.map((timed) => perform(scene, { ...awaited, approved }, timed)));
  await approved;
}

/** @returns the address to which the provider sends the payer; undefined where the payer never approves. */
async function approve(
  { payer, signal }: Scene,
  { approvesAfterMs }: DeadlineAim,
  { approvalUrl, approvalBy }: Awaited,
): Promise<string | undefined> {
  if (approvesAfterMs === undefined) return undefined;
  await until(approvalBy + approvesAfterMs, signal);
  return payer.approve(approvalUrl, signal);
}

async function perform(
  scene: Scene,
  { address, approvalBy, approved }: Awaited & { readonly approved: Promise<string | undefined> },
  { act, afterMs }: TimedAct,
): Promise<void> {
  const { payer, orderService, signal } = scene;
  await until(approvalBy + afterMs, signal);
  switch (act) {
    case 'the payer returns': {
      const returnAddress = await approved;
      if (returnAddress !== undefined) await payer.follow(returnAddress, signal);
      return;
    }
    case 'the order is cancelled':
      await give(scene, 'cancel', `${address}/cancel`, {});
      return;
    case 'a check':
      await orderService.check(address, signal);
  }
}

async function until(instant: number, signal: AbortSignal): Promise<void> {
  await sleep(Math.max(0, instant - Date.now()), undefined, { signal });
}
