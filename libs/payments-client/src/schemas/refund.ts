import { z } from 'zod';
import { linkedId } from '../linked-id.js';
import type { Amount } from '../money.js';
import { links } from './link.js';
import {
  instantOf,
  type Open,
  openEnum,
  optionalId,
  optionalInstant,
  optionalText,
  resourceId,
  totalAmount,
} from './received.js';

export type RefundState = Open<'pending' | 'completed' | 'cancelled' | 'failed'>;

/** A refund (provider-facts; the specification's gap 2.10). */
export interface Refund {
  readonly id: string;
  readonly state: RefundState;
  /** The refunded amount; never negative, whatever sign the answer has. */
  readonly amount: Amount;
  /** The refunded capture or sale. */
  readonly captureId: string | undefined;
  readonly saleId: string | undefined;
  readonly paymentId: string | undefined;
  /** The reference of the refund's request: ours, or that of a refund made elsewhere. */
  readonly invoiceNumber: string | undefined;
  readonly custom: string | undefined;
  readonly createTime: string | undefined;
  /** ISO 8601; of a completed refund, when it was completed. */
  readonly updateTime: string | undefined;
}

export const refund: z.ZodType<Refund> = z
  .object({
    id: resourceId,
    state: openEnum<RefundState>(),
    amount: totalAmount,
    capture_id: optionalId,
    sale_id: optionalId,
    parent_payment: optionalId,
    invoice_number: optionalText,
    custom: optionalText,
    create_time: optionalInstant,
    update_time: optionalInstant,
    links,
  })
  .transform((wire) => ({
    id: wire.id,
    state: wire.state,
    amount: { ...wire.amount, value: wire.amount.value.replace(/^-/, '') },
    captureId: wire.capture_id ?? linkedId(wire.links, 'capture'),
    saleId: wire.sale_id ?? linkedId(wire.links, 'sale'),
    paymentId: wire.parent_payment ?? linkedId(wire.links, 'payment'),
    invoiceNumber: wire.invoice_number ?? undefined,
    custom: wire.custom ?? undefined,
    createTime: instantOf(wire.create_time),
    updateTime: instantOf(wire.update_time),
  }));
