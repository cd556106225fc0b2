import { type Discrepancy, doubled, lost } from '../discrepancy.js';
import type { Account } from './account.js';
import type { PaymentPlan } from './order-payment.js';
import type { PaymentView } from './payment-view.js';
import { says } from './judge-view.js';
import { minorOf } from '../wire-money.js';

/**
 * Of a payment that is collected once, as a whole, without a request of its own: by a sale, or by a capture of policy.
 *
 * @param collectedState in which the engine says that the money is there.
 */
export function judgeCollected(
  { minor, currency, exponent }: PaymentPlan,
  final: PaymentView | undefined,
  { movements, sums }: Account,
  { kind, collectedState }: { readonly kind: 'sale' | 'capture'; readonly collectedState: string },
): Discrepancy[] {
  const collected = movements[kind];
  const found: Discrepancy[] = [];
  if (collected.length > 1) found.push(doubled(`there are ${collected.length} of ${kind}`));
  for (const movement of collected) {
    if (movement.amountMinor === minor && movement.currency === currency) continue;
    found.push(
      lost(`${movement.amountMinor} ${movement.currency} were taken where ${minor} ${currency} were ordered`),
    );
  }
  if (!final) return found;
  const { captured, refunded } = final.amounts;
  // Between two states the amounts shown are those of the one before.
  const isCollected = final.state === collectedState;
  if (isCollected !== collected.length > 0) found.push(says(final.state));
  if (isCollected && minorOf(captured.value, exponent) !== sums[kind])
    found.push(says(`${captured.value} taken`));
  if (minorOf(refunded.value, exponent) !== sums.refund) found.push(says(`${refunded.value} refunded`));
  return found;
}
