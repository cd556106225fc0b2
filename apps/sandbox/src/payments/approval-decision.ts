import { payerInfoOf } from '../accounts/accounts.js';
import type { AccountRow } from '../database/tables.js';
import type { ApprovalRule } from './payment-settings.js';
import { compareDecimals, writeAmount } from '../money/amount.js';

interface Approvable {
  minor: number;
  currency: string;
  payeeEmail: string | null;
}

/** Who approves a payment: the first rule that fits it, else the setting. */
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

/** The columns that say whose account pays, and since when its owner agrees. */
export function approvedBy(payer: AccountRow, now: Date) {
  return {
    payer_id: payer.id,
    payer_info: JSON.stringify(payerInfoOf(payer)),
    payer_approved_at: now,
  };
}
