import { payerInfoOf } from '../accounts/accounts.js';
import type { AccountRow } from '../database/tables.js';
import { compareDecimals, writeAmount } from '../money/amount.js';
import type { ApprovalRule } from '../settings/payment-settings.js';

interface Approvable {
  minor: number;
  currency: string;
  payeeEmail: string | null;
}

/** How a payment is approved: by the first rule that matches it, otherwise by the setting. */
export function decideApproval(
  payment: Approvable,
  rules: readonly ApprovalRule[],
  setting: 'payer' | 'immediate',
): 'payer' | 'immediate' {
  const total = writeAmount(payment.minor, payment.currency);
  const fitting = rules.find(
    (rule) =>
      (rule.payeeEmail === undefined ||
        rule.payeeEmail.toLowerCase() === payment.payeeEmail?.toLowerCase()) &&
      (rule.minTotal === undefined || compareDecimals(total, rule.minTotal) >= 0) &&
      (rule.maxTotal === undefined || compareDecimals(total, rule.maxTotal) <= 0),
  );
  return fitting?.approval ?? setting;
}

/** The columns for the paying account, and for the time of its owner's approval. */
export function approvedBy(payer: AccountRow, now: Date) {
  return {
    payer_id: payer.id,
    payer_info: JSON.stringify(payerInfoOf(payer)),
    payer_approved_at: now,
  };
}
