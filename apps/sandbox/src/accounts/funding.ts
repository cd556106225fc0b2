import type { Transaction } from 'kysely';
import type { Tables } from '../database/tables.js';
import type { OutcomeFault } from '../faults/fault-kinds.js';

/**
 * Whether the payer's funding source declines: because a fault says so, or because the payer's account is configured
 * so. The holder of a direct card has no account here, and so no funding that could decline.
 */
export async function isFundingDeclined(
  transaction: Transaction<Tables>,
  payerId: string | null,
  fault: OutcomeFault | null,
): Promise<boolean> {
  if (fault?.kind === 'decline') return true;
  if (payerId === null) return false;
  const payer = await transaction
    .selectFrom('accounts')
    .select('funding_declines')
    .where('id', '=', payerId)
    .executeTakeFirst();
  return payer?.funding_declines === true;
}
