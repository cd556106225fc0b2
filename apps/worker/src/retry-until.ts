import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';

const firstWaitMs = 250;
const longestWaitMs = 5_000;

export interface Retrying {
  /** Ends the trying. */
  readonly signal: AbortSignal;
  readonly logger: Logger;
}

/**
 * Tries until it succeeds: what a process needs at its start may be a moment behind it. Rejects when aborted.
 *
 * @param what is tried, in words for whoever asks why a process does not come up: told once for each sort of failure,
 *   by the error's name alone, for its message may quote a password.
 */
export async function retryUntil<T>(
  what: string,
  attempt: () => Promise<T>,
  { signal, logger }: Retrying,
): Promise<T> {
  const told = new Set<string>();
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(longestWaitMs, waitMs * 2)) {
    signal.throwIfAborted();
    try {
      return await attempt();
    } catch (error) {
      const { name, code } = sortOf(error);
      if (!told.has(name + code)) logger.warn({ error: name, code }, `${what}: not yet, tried again`);
      told.add(name + code);
      await wait(waitMs, undefined, { signal });
    }
  }
}

function sortOf(error: unknown): { readonly name: string; readonly code: string } {
  const name = error instanceof Error ? error.name : typeof error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return { name, code };
}
