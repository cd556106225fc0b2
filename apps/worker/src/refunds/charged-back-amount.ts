import type { Database } from '#database/connection';
import { isRefundUnshown, listReversalsOf } from '#database/subjects';
import type { RefundStepInput } from '#workflows/contract';
import type { RefundClaim } from '#workflows/lifecycle/refund';
import { type ShownRefund, withoutAmount } from '../provider/refund-facts.js';

/**
 * Adds the amount of a chargeback. The provider shows what all chargebacks of a capture or sale have taken, and only
 * once nothing is left of it. So that is the amount of one that is alone, and the amount of each is unknown beside
 * others: nothing is guessed.
 *
 * @param paymentId our payment, if it is ours.
 */
export async function withOwnAmount(
  db: Database,
  { identity, state: { claim } }: RefundStepInput,
  paymentId: string | undefined,
  { facts, refunds }: ShownRefund,
): Promise<ShownRefund['facts']> {
  const { chargedBack, collected } = facts;
  if (claim.kind !== 'reversal' || !chargedBack || !refunds || paymentId === undefined) return facts;
  const of = { collectedId: collected.id, paymentId };
  const shown = refunds.map(({ id }) => id);
  // What refunds leave was charged back. A refund that this read did not include reduces it.
  if (await isRefundUnshown(db, identity, of, shown)) return withoutAmount(facts);
  const others = (await listReversalsOf(db, of)).filter(({ id }) => id !== identity.refundId);
  // One that was not read yet may be unfounded.
  if (others.some(({ state }) => state.status === 'observed')) return { ...facts, state: 'pending' };
  const isAlone = others.length === 0 && !isFollowed(claim, facts, refunds);
  return isAlone ? { ...facts, amount: chargedBack } : facts;
}

/** Whether the read shows a later change that no refund has made: another chargeback, whose event has not come yet. */
function isFollowed(
  { changedAt, changedTo }: Extract<RefundClaim, { kind: 'reversal' }>,
  { settledAt }: ShownRefund['facts'],
  refunds: NonNullable<ShownRefund['refunds']>,
): boolean {
  const isChanged =
    changedTo?.toLowerCase() === 'partially_refunded' ||
    (changedAt !== undefined && settledAt !== undefined && settledAt > changedAt);
  const isByRefund = refunds.some(
    ({ updateTime }) =>
      updateTime !== undefined && settledAt !== undefined && Date.parse(updateTime) >= settledAt,
  );
  return isChanged && !isByRefund;
}
