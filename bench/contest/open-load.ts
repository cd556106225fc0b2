import { setTimeout as sleep } from 'node:timers/promises';
import type { Contender } from '../harness/contender.js';
import type { Payer } from '../harness/payer.js';

/** Shares of what a contender manages at most. */
export const loads = { half: 0.5, fourFifths: 0.8 } as const;

export const timedCalls = ['lifecycle', 'order', 'payerReturned', 'capture'] as const;

/** Milliseconds of one lifecycle's calls; the lifecycle's are their sum, without the payer's own time. */
export type CallTimes = Readonly<Record<(typeof timedCalls)[number], number>>;

export interface OpenLoad {
  readonly times: readonly CallTimes[];
  readonly failures: number;
}

/**
 * Orders come at random instants, whether earlier ones are answered or not. The time of an order counts from the instant
 * at which it was due, not from when it could be sent: so a driver that falls behind hides nothing.
 */
export async function measureOpenLoad(
  contender: Contender,
  payer: Payer,
  { perSecond, forMs }: { readonly perSecond: number; readonly forMs: number },
  signal: AbortSignal,
): Promise<OpenLoad> {
  const times: CallTimes[] = [];
  let failures = 0;
  const underWay: Promise<void>[] = [];
  const startedAt = performance.now();
  for (let dueAt = startedAt + pause(perSecond); dueAt < startedAt + forMs; dueAt += pause(perSecond)) {
    await sleep(Math.max(0, dueAt - performance.now()), undefined, { signal });
    const play = async () => void times.push(await timedLifecycle(contender, payer, dueAt));
    underWay.push(play().catch(() => void (failures += 1)));
  }
  await Promise.all(underWay);
  return { times, failures };
}

/** @param dueAt when its order was due, by `performance.now()`. */
export async function timedLifecycle(contender: Contender, payer: Payer, dueAt: number): Promise<CallTimes> {
  const payment = await contender.order();
  const order = performance.now() - dueAt;
  const redirect = await payer.approve(payment);
  const payerReturned = await timed(() => contender.payerReturned(payment, redirect));
  const capture = await timed(() => contender.capture(payment));
  return { order, payerReturned, capture, lifecycle: order + payerReturned + capture };
}

/** As between independent callers: exponentially distributed. */
function pause(perSecond: number): number {
  return (-Math.log(1 - Math.random()) / perSecond) * 1_000;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
