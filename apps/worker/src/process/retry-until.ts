import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import { nameOfError } from '#observability';

const firstWaitMs = 250;
const longestWaitMs = 5_000;

export interface Retrying {
  /** Stops the retries. */
  readonly signal: AbortSignal;
  readonly logger: Logger;
  /** True for an error that a later try cannot fix. */
  readonly isFinal?: (error: unknown) => boolean;
}

/**
 * Retries until it succeeds: the dependencies of a starting process may come up later. Rejects when aborted, and
 * with an error that is final.
 *
 * @param what names the work in log lines. Each kind of failure is logged once, only with the error's name and code,
 *   because a message may quote a password.
 */
export async function retryUntil<T>(
  what: string,
  attempt: () => Promise<T>,
  { signal, logger, isFinal = () => false }: Retrying,
): Promise<T> {
  const logged = new Set<string>();
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(longestWaitMs, waitMs * 2)) {
    signal.throwIfAborted();
    try {
      return await attempt();
    } catch (error) {
      if (isFinal(error)) throw error;
      const { name, code } = sortOf(error);
      if (!logged.has(name + code))
        logger.warn({ error: name, code }, `${what}: failed, and is tried again until it succeeds`);
      logged.add(name + code);
      await wait(waitMs, undefined, { signal });
    }
  }
}

function sortOf(error: unknown): { readonly name: string; readonly code: string } {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return { name: nameOfError(error), code };
}
