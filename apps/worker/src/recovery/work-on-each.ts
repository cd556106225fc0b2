import type { Logger } from 'pino';
import { isDatabaseAway } from '#database/connection';
import type { Owner } from '#database/schema';
import { nameOfError } from '#observability';
import { TemporalAwayError } from '#runs';
import { type Failed, mapConcurrently } from '../reconciliation/map-concurrently.js';

/**
 * Does the work for each subject, whatever others fail: what cannot be recovered must not keep the rest from it.
 *
 * @returns those that failed.
 * @throws if Temporal or the database is away.
 */
export async function workOnEach(
  concurrency: number,
  ids: readonly string[],
  work: (id: string) => Promise<void>,
): Promise<readonly Failed<string>[]> {
  const begun = new Set<string>();
  const first = await mapConcurrently(concurrency, ids, async (id) => {
    begun.add(id);
    await work(id);
  });
  const rest = ids.filter((id) => !begun.has(id));
  const [failure] = first.failed;
  if (rest.length === 0 || failure === undefined) return first.failed;
  if (first.failed.every(({ error }) => isAway(error))) throw failure.error;
  const later = await mapConcurrently(concurrency, rest, work, Number.POSITIVE_INFINITY);
  return [...first.failed, ...later.failed];
}

/** @returns those that failed. */
export function logFailed(
  logger: Logger,
  owner: Owner,
  failed: readonly Failed<string>[],
  message: string,
): string[] {
  for (const { item: id, error } of failed) logger.warn({ ...owner, id, error: nameOfError(error) }, message);
  return failed.map(({ item }) => item);
}

const mostTries = 4;

/**
 * A server that is busy with so many starts answers some calls too late.
 *
 * @param again works on them once more.
 * @returns those that have failed each time.
 */
export async function tryAgain(
  failed: readonly string[],
  again: (ids: readonly string[]) => Promise<readonly string[]>,
  report: (line: string) => void,
): Promise<readonly string[]> {
  let left = failed;
  for (let tries = 1; tries < mostTries && left.length > 0; tries += 1) {
    report(`trying again ${left.length} that failed …`);
    left = await again(left);
  }
  return left;
}

function isAway(error: unknown): boolean {
  return error instanceof TemporalAwayError || isDatabaseAway(error);
}
