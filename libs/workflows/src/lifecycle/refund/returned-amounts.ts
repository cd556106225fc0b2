import { type RefundState, isRefundTerminal, sourceOf } from './refund.js';

/** What went back to the payer of what a payment collected, in minor units of its currency. */
export interface ReturnedAmounts {
  /** By refunds that are completed. */
  readonly refunded: number;
  /** By chargebacks; undefined where one is known, and not of how much: not read back yet, or never told. */
  readonly reversed: number | undefined;
}

export function returnedAmounts(refunds: readonly RefundState[]): ReturnedAmounts {
  const completed = refunds.filter(({ status }) => status === 'completed');
  // A claim counts as soon as it is known: until it is read back nobody can say that nothing was taken.
  const reversals = refunds.filter(
    ({ claim, status }) => claim.kind === 'reversal' && (status === 'completed' || !isRefundTerminal(status)),
  );
  const refunded = completed
    .filter(({ claim }) => claim.kind !== 'reversal')
    .reduce((sum, { amount }) => sum + (amount?.minor ?? 0), 0);
  const byCollected = new Map<string, number | undefined>();
  for (const reversal of reversals) {
    const id = sourceOf(reversal)?.id ?? '';
    // Each tells all that was taken back by then, so of several of one capture the one that tells it holds.
    byCollected.set(id, byCollected.get(id) ?? reversal.amount?.minor);
  }
  const told = [...byCollected.values()];
  return {
    refunded,
    reversed: told.reduce<number | undefined>(
      (sum, minor) => (sum === undefined || minor === undefined ? undefined : sum + minor),
      0,
    ),
  };
}
