import type { FailedCall } from '#database/commands';
import type { AttemptRow } from '#database/schema';

/**
 * True when it is proved that the provider keeps a failure under a key and repeats it (provider-facts: "a key may also
 * be poisoned"). Either two answers have the same debug id, because a new failure has a new id. Or, if answers have no
 * debug id, it failed in the same way before and after the operation was proved undone. A provider that has a general
 * outage does not count: the key is kept.
 *
 * @param failures failed answers to POSTs under the key, oldest first.
 * @param attempts the attempts under the key.
 */
export function isPoisoned(
  failures: readonly FailedCall[],
  attempts: readonly Pick<AttemptRow, 'outcome'>[],
): boolean {
  const debugIds = failures.flatMap(({ debugId }) => (debugId === null ? [] : [debugId]));
  if (new Set(debugIds).size < debugIds.length) return true;
  // All failures are new ones.
  if (debugIds.length === failures.length) return false;
  const provedUndone = attempts.filter(({ outcome }) => outcome === 'undone');
  return provedUndone.length >= 2 && failures.length >= 2 && areAllAlike(failures);
}

function areAllAlike([first, ...others]: readonly FailedCall[]): boolean {
  return others.every(({ status, code }) => status === first?.status && code === first.code);
}
