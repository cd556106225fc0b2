import { z } from 'zod';
import { readOnly } from '../http/validation.js';
import { withoutNulls } from '../http/without-nulls.js';
import { amountSchema } from '../money/amount-schema.js';

const loose = z.record(z.string(), z.unknown());

/** Fields of a refund that are only read. */
const readOnlyFields = {
  id: readOnly,
  state: readOnly,
  reason_code: readOnly,
  sale_id: readOnly,
  capture_id: readOnly,
  parent_payment: readOnly,
  refund_reason_code: readOnly,
  refund_funding_type: readOnly,
  refund_to_payer: readOnly,
  refund_from_transaction_fee: readOnly,
  refund_from_received_amount: readOnly,
  total_refunded_amount: readOnly,
  create_time: readOnly,
  update_time: readOnly,
  links: readOnly,
};

const refundFields = z
  .strictObject({
    ...readOnlyFields,
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
    // Without this check it would refund everything.
    ({ refund_type, amount }) => refund_type?.toLowerCase() !== 'partial' || amount !== undefined,
    { path: ['amount'], message: 'Required for a partial refund' },
  );

/**
 * The public request, and what public clients send besides. Without an amount, or with one that is null, all that is
 * left is refunded; fields that do not change that are accepted and have no effect here. Any other field is refused by
 * name, because it may be a misspelt amount.
 */
export const refundRequest = z.preprocess(withoutNulls, refundFields);

export type RefundRequest = z.output<typeof refundRequest>;
