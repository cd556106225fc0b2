import { z } from 'zod';
import type { Amount } from '../money.js';
import { reference, sentTotal } from './sent.js';

export interface RefundRequest {
  /**
   * `remaining`: everything that is not refunded yet. It must be explicit, so that a lost amount does not become a
   * refund of everything.
   */
  readonly amount: Amount | 'remaining';
  /** Own reference, ≤ 127 characters; fresh for each refund, or two equal ones cannot be distinguished. */
  readonly invoiceNumber: string;
  /** For the payer, ≤ 255 characters. */
  readonly description?: string | undefined;
  /** For the provider's records, ≤ 30 characters. */
  readonly reason?: string | undefined;
}

export const refundRequest = z
  .strictObject({
    // Not a union: its issues would name no field of the amount.
    amount: z.unknown().transform((amount, context) => {
      if (amount === 'remaining') return undefined;
      const sent = sentTotal.safeParse(amount);
      if (sent.success) return sent.data;
      for (const { path, message } of sent.error.issues) context.addIssue({ code: 'custom', path, message });
      return z.NEVER;
    }),
    invoiceNumber: reference,
    description: z.string().max(255).optional(),
    reason: z.string().max(30).optional(),
  })
  .transform(({ invoiceNumber, ...rest }) => ({ ...rest, invoice_number: invoiceNumber }));
