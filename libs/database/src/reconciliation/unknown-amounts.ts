import { sql } from 'kysely';
import type { Position } from '#workflows/lifecycle';
import type { RefundState } from '#workflows/lifecycle/refund';
import type { Database } from '../connection/database.js';
import type { Owner } from '../schema/owner.js';

/** A chargeback that has ended before it was known what those of its capture or sale have taken. */
export interface UnknownAmount extends Position<RefundState> {
  readonly id: string;
}

/**
 * The chargebacks for which the provider must be asked, the least recently asked first. The first question comes soon
 * after any refund or chargeback of the same capture or sale; then the waits double up to the longest, without an end.
 * If a capture has several chargebacks, one of them is enough.
 *
 * A chargeback counts as changed when it was reported, not when its row was written: a run that asked without success
 * also writes the row.
 *
 * @param firstWaitMs longer than the lag of the provider's reads.
 */
export async function findUnknownAmounts(
  db: Database,
  { environment, application }: Owner,
  { firstWaitMs, longestWaitMs, limit }: { firstWaitMs: number; longestWaitMs: number; limit: number },
): Promise<UnknownAmount[]> {
  const { rows } = await sql<UnknownAmount>`
    select reversal.id, reversal.version, reversal.state
    from refunds as reversal cross join lateral (
      select max(case kind when 'reversal' then created_at else updated_at end) as changed_at,
        bool_or(kind = 'reversal' and status = 'completed'
          and (minor is not null or state->'chargedBack' is not null)) as is_told
      from refunds as each
      where each.payment_id = reversal.payment_id and each.collected_id = reversal.collected_id
    ) as gone_back
    where environment = ${environment} and application = ${application}
      and kind = 'reversal' and status = 'completed' and minor is null
      and not is_told and changed_at < now() - ${milliseconds(firstWaitMs)}
      and (amount_asked_at is null or amount_asked_at < now() - least(
        greatest(amount_asked_at - changed_at, ${milliseconds(firstWaitMs)}), ${milliseconds(longestWaitMs)}))
    order by amount_asked_at nulls first limit ${limit}`.execute(db);
  return rows;
}

export async function noteAmountAsked(db: Database, id: string): Promise<void> {
  await db
    .updateTable('refunds')
    .set({ amount_asked_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute();
}

function milliseconds(count: number) {
  return sql`${count} * interval '1 millisecond'`;
}
