import { type Discrepancy, lost } from '../discrepancy.js';
import { minorOf } from '../wire-money.js';
import { type Account, stillHeld } from './account.js';
import type { PaymentPlan } from './order-payment.js';
import type { PaymentView } from './payment-view.js';

const ended: ReadonlySet<string> = new Set(['captured', 'voided', 'declined', 'cancelled', 'expired']);
export const holdingStates: ReadonlySet<string> = new Set(['authorized', 'partially_captured']);

/**
 * Compares the engine's last answer about a hold at rest or ended with the books, in minor units.
 *
 * @param authorized what the engine must show as held, of a payment that was held at all.
 */
export function judgeHoldView(
  { exponent }: PaymentPlan,
  final: PaymentView | undefined,
  account: Account,
  authorized: number,
): Discrepancy[] {
  if (!final || !(ended.has(final.state) || holdingStates.has(final.state))) return [];
  const { state, amounts } = final;
  const { movements, sums } = account;
  const found: Discrepancy[] = [];
  const expect = (name: 'captured' | 'authorized' | 'capturable', minor: number): void => {
    const { value } = amounts[name];
    if (minorOf(value, exponent) !== minor) found.push(says(`${value} ${name}`));
  };
  expect('captured', sums.capture);
  expect('authorized', movements.hold.length > 0 ? authorized : 0);
  expect('capturable', holdingStates.has(state) ? stillHeld(account) : 0);
  if (ended.has(state) && stillHeld(account) !== 0) found.push(says(`${state}, with money still held`));
  if (ended.has(state) && (state === 'captured') !== sums.capture > 0) found.push(says(state));
  return [...found, ...judgeReturned(exponent, final, account)];
}

/** The returned amounts of a payment, by refunds and chargebacks; the provider may not show an amount. */
export function judgeReturned(
  exponent: number,
  { amounts: { refunded, reversed } }: PaymentView,
  { sums }: Account,
): Discrepancy[] {
  const found: Discrepancy[] = [];
  if (minorOf(refunded.value, exponent) !== sums.refund) found.push(says(`${refunded.value} refunded`));
  const isReversalKnown =
    reversed === null ? sums.reversal > 0 : minorOf(reversed.value, exponent) === sums.reversal;
  if (!isReversalKnown) found.push(says(`${reversed?.value ?? 'an unknown amount'} charged back`));
  return found;
}

export function says(shown: string): Discrepancy {
  return lost(`the engine says ${shown}`);
}
