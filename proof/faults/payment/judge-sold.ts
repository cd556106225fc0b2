import { type Discrepancy, doubled, lost } from '../discrepancy.js';
import type { Account } from './account.js';
import type { PaymentPlan } from './order-payment.js';
import type { PaymentView } from './payment-view.js';
import { judgeReturned, says } from './judge-view.js';
import { minorOf } from '../wire-money.js';

/** Of a payment that is collected once, as a whole, by a sale. */
export function judgeSold(
  { minor, currency, exponent }: PaymentPlan,
  final: PaymentView | undefined,
  account: Account,
): Discrepancy[] {
  const { movements, sums } = account;
  const found: Discrepancy[] = [];
  if (movements.sale.length > 1) found.push(doubled(`there are ${movements.sale.length} sales`));
  for (const movement of movements.sale) {
    if (movement.amountMinor === minor && movement.currency === currency) continue;
    found.push(
      lost(`${movement.amountMinor} ${movement.currency} were taken where ${minor} ${currency} were ordered`),
    );
  }
  if (!final) return found;
  const { captured } = final.amounts;
  // Between two states the amounts shown are those of the one before.
  const isCollected = final.state === 'completed';
  if (isCollected !== movements.sale.length > 0) found.push(says(final.state));
  if (isCollected && minorOf(captured.value, exponent) !== sums.sale)
    found.push(says(`${captured.value} taken`));
  return [...found, ...judgeReturned(exponent, final, account)];
}
