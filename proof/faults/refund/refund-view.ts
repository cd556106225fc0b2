import { z } from 'zod';
import type { PaymentView } from '../payment/payment-view.js';

const refundView = z.object({
  id: z.string(),
  kind: z.enum(['refund', 'reversal']),
  origin: z.enum(['order_service', 'elsewhere']),
  providerRefundId: z.string().nullable(),
  amount: z.object({ value: z.string(), currency: z.string() }).nullable(),
  state: z.string(),
  captureId: z.string().nullable(),
  saleId: z.string().nullable(),
  reason: z.string().nullable(),
});

/** What an order service reads of a refund. */
export type RefundView = z.infer<typeof refundView>;

export const refundList = z.object({ data: z.array(refundView) });

/** What the engine says in the end: of the payment, and of all that went back of it. */
export interface RefundedPayment {
  readonly payment: PaymentView;
  readonly refunds: readonly RefundView[];
}

/** Nothing becomes of it any more. */
export const settledRefunds: ReadonlySet<string> = new Set([
  'completed',
  'failed',
  'cancelled',
  'declined',
  'unfounded',
]);
