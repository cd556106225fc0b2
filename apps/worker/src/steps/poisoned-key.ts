import type { FailedCall } from '#database/commands';
import type { AttemptRow } from '#database/schema';

/**
 * True when it is proved that the provider keeps a failure under a key and repeats it (provider-facts: "a key may also
 * be poisoned"). Either it gave the same answer twice, which its debug id shows: a failure that happens again has a new
 * one. Or, where answers do not show that, it failed in the same way before and after the operation was proved undone.
 * A provider that is merely ill is not that: the key is kept.
 *
 * @param failures answers to POSTs under the key, oldest first.
 * @param attempts those made under the key.
 */
export function isPoisoned(
  failures: readonly FailedCall[],
  attempts: readonly Pick<AttemptRow, 'outcome'>[],
): boolean {
  const debugIds = failures.flatMap(({ debugId }) => (debugId === null ? [] : [debugId]));
  if (new Set(debugIds).size < debugIds.length) return true;
  // Each failure has happened again.
  if (debugIds.length === failures.length) return false;
  const provedUndone = attempts.filter(({ outcome }) => outcome === 'undone');
  return provedUndone.length >= 2 && failures.length >= 2 && areAllAlike(failures);
}

function areAllAlike([first, ...others]: readonly FailedCall[]): boolean {
  return others.every(({ status, code }) => status === first?.status && code === first.code);
}
