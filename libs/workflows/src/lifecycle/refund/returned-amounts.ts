import { type RefundState, isRefundTerminal, sourceOf } from './refund.js';

/** Amounts returned to the payer, in minor units of the payment's currency. */
export interface ReturnedAmounts {
  /** By completed refunds. */
  readonly refunded: number;
  /** By chargebacks; undefined if the amount of a known one is unknown (not read yet, or not shown). */
  readonly reversed: number | undefined;
}

export function returnedAmounts(refunds: readonly RefundState[]): ReturnedAmounts {
  const completed = refunds.filter(({ status }) => status === 'completed');
  // A reported chargeback counts at once: until it was read, it may have taken money.
  const reversals = refunds.filter(
    ({ claim, status }) => claim.kind === 'reversal' && (status === 'completed' || !isRefundTerminal(status)),
  );
  const refunded = completed
    .filter(({ claim }) => claim.kind !== 'reversal')
    .reduce((sum, { amount }) => sum + (amount?.minor ?? 0), 0);
  const byCollected = new Map<string, number | undefined>();
  for (const reversal of reversals) {
    const id = sourceOf(reversal)?.id ?? '';
    // One that knows what all have taken is enough for its capture.
    byCollected.set(id, byCollected.get(id) ?? (reversal.chargedBack ?? reversal.amount)?.minor);
  }
  const chargebacks = [...byCollected.values()];
  return {
    refunded,
    reversed: chargebacks.reduce<number | undefined>(
      (sum, minor) => (sum === undefined || minor === undefined ? undefined : sum + minor),
      0,
    ),
  };
}
