import { setTimeout as wait } from 'node:timers/promises';

const secondReadAfterMs = 1_000;

/**
 * Makes a read once more, a second later. One answer may be cut short: what cannot be taken back is decided by two that
 * say the same (docs/decisions/0009).
 */
export async function readAgain<Shown>(read: () => Promise<Shown>): Promise<Shown> {
  await wait(secondReadAfterMs);
  return await read();
}
