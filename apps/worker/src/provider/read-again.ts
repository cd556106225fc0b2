import { setTimeout as wait } from 'node:timers/promises';

const secondReadAfterMs = 1_000;

/**
 * Repeats a read after one second. One answer may be incomplete, so irreversible decisions need two equal answers
 * (docs/decisions/0009).
 */
export async function readAgain<Shown>(read: () => Promise<Shown>): Promise<Shown> {
  await wait(secondReadAfterMs);
  return await read();
}
