import { z } from 'zod';
import { amountSchema } from '../payments/amount-schema.js';

const loose = z.record(z.string(), z.unknown());

/**
 * The public request, and what public clients send beyond it. Without an amount, all that is left is refunded; fields
 * that do not change that are accepted and have no effect here.
 */
export const refundRequest = z
  .strictObject({
    amount: amountSchema.optional(),
    description: z.string().max(255).optional(),
    reason: z.string().max(30).optional(),
    invoice_number: z.string().max(127).optional(),
    custom: z.string().max(127).optional(),
    refund_type: z.string().max(30).optional(),
    refund_source: z.string().max(30).optional(),
    refund_advice: z.boolean().optional(),
    is_non_platform_transaction: z.string().max(10).optional(),
    items: z.array(loose).max(500).optional(),
    payer_info: loose.optional(),
    supplementary_data: z.array(loose).max(100).optional(),
  })
  .refine(
    // Taken at its word, it would refund everything.
    ({ refund_type, amount }) => refund_type?.toLowerCase() !== 'partial' || amount !== undefined,
    { path: ['amount'], message: 'Required for a partial refund' },
  );

export type RefundRequest = z.output<typeof refundRequest>;
