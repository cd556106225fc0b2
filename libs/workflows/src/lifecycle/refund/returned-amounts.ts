import type { RefundState } from './refund.js';

/** What went back to the payer of what a payment collected, in minor units of its currency. */
export interface ReturnedAmounts {
  /** By refunds that are completed. */
  readonly refunded: number;
  /** By chargebacks; undefined where there was one and the provider does not tell of how much. */
  readonly reversed: number | undefined;
}

export function returnedAmounts(refunds: readonly RefundState[]): ReturnedAmounts {
  const completed = refunds.filter(({ status }) => status === 'completed');
  const reversals = completed.filter(({ claim }) => claim.kind === 'reversal');
  const refunded = completed
    .filter(({ claim }) => claim.kind !== 'reversal')
    .reduce((sum, { amount }) => sum + (amount?.minor ?? 0), 0);
  const byCollected = new Map<string, number | undefined>();
  for (const { collected, amount } of reversals) {
    // Each tells all that was taken back by then, so of several of one capture the one that tells it holds.
    const id = collected?.id ?? '';
    byCollected.set(id, byCollected.get(id) ?? amount?.minor);
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
