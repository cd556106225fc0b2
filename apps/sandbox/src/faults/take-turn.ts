import { createHash } from 'node:crypto';
import type { Transaction } from 'kysely';
import type { Tables } from '../database/tables.js';
import type { FaultTarget } from './fault-settings.js';

/**
 * Counts the match; returns whether the fault takes effect this time. The row's lock makes simultaneous calls run one
 * by one.
 */
export async function takeTurn(
  transaction: Transaction<Tables>,
  id: string,
  target: FaultTarget,
): Promise<{ takesEffect: boolean; isSpent: boolean }> {
  const row = await transaction
    .updateTable('faults')
    .set((column) => ({ matches: column('matches', '+', 1) }))
    .where('id', '=', id)
    .where((where) => where.or([where('remaining', 'is', null), where('remaining', '>', 0)]))
    .returning(['matches', 'remaining'])
    .executeTakeFirst();
  if (row === undefined) return { takesEffect: false, isSpent: true };
  if (row.matches < target.nth || !isDrawn(target, row.matches))
    return { takesEffect: false, isSpent: false };
  if (row.remaining === null) return { takesEffect: true, isSpent: false };
  const remaining = row.remaining - 1;
  await transaction.updateTable('faults').set({ remaining }).where('id', '=', id).execute();
  return { takesEffect: true, isSpent: remaining === 0 };
}

/** A repeatable draw: it depends on the seed and the number of the match, not on the time. */
function isDrawn(target: FaultTarget, match: number): boolean {
  if (target.probability === 1) return true;
  const draw = createHash('sha256').update(`${target.seed}:${match}`).digest().readUInt32BE();
  return draw / 2 ** 32 < target.probability;
}
