import { presentWorld } from '../core/world.js';
import { Execution } from './execution.js';

/** What the build puts in the place of clocks, chance and timers in the code under test. */
export function activityNow(): number {
  return presentWorld().clock.now;
}

/** Stands still during a workflow task, and is the same when it is replayed. */
export function workflowNow(): number {
  return Execution.present().now;
}

/** Like AbortSignal.timeout: of a call that it is given to, it is the longest that it may take. */
export function timeoutSignal(limitMs: number): AbortSignal {
  return { limitMs } as unknown as AbortSignal;
}

export function limitOf(signal: AbortSignal | undefined): number {
  return (signal as { limitMs?: number } | undefined)?.limitMs ?? Number.POSITIVE_INFINITY;
}

/** In the place of node:crypto. */
export { createHash } from 'node:crypto';

export function randomUUID(): string {
  const { draws } = presentWorld();
  const hex = () =>
    draws
      .between('uuid', 0, 2 ** 32 - 1)
      .toString(16)
      .padStart(8, '0');
  const [a, b, c, d] = [hex(), hex(), hex(), hex()];
  return `${a}-${b.slice(0, 4)}-4${b.slice(5)}-8${c.slice(1, 4)}-${c.slice(4)}${d}`;
}

/** In the place of node:timers/promises. */
export async function setTimeout(ms: number): Promise<void> {
  await presentWorld().clock.sleep(ms);
}
