import type { Transaction } from 'kysely';
import type { AgreementRow, Tables } from '../database/tables.js';
import type { OutcomeFault } from '../faults/fault-kinds.js';

/** Whether the payer's funding source says no: because a fault wants it, or because the payer's account is such a one. */
export async function isFundingDeclined(
  transaction: Transaction<Tables>,
  { payer_id }: AgreementRow,
  fault: OutcomeFault | null,
): Promise<boolean> {
  if (fault?.kind === 'decline') return true;
  if (payer_id === null) return false;
  const payer = await transaction
    .selectFrom('accounts')
    .select('funding_declines')
    .where('id', '=', payer_id)
    .executeTakeFirst();
  return payer?.funding_declines === true;
}
