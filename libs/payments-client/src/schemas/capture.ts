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

export type CaptureState = Open<'pending' | 'completed' | 'partially_refunded' | 'refunded' | 'denied'>;

/** Funds collected from an authorization (provider-facts; the specification's gap 2.10). */
export interface Capture {
  readonly id: string;
  readonly state: CaptureState;
  readonly amount: Amount;
  /** Undefined where the answer does not say. */
  readonly isFinalCapture: boolean | undefined;
  /** Our own reference, as sent; it distinguishes two equal partial captures. */
  readonly invoiceNumber: string | undefined;
  readonly custom: string | undefined;
  readonly paymentId: string | undefined;
  readonly authorizationId: string | undefined;
  readonly reasonCode: string | undefined;
  readonly createTime: string | undefined;
  readonly updateTime: string | undefined;
}

export const capture: z.ZodType<Capture> = z
  .object({
    id: resourceId,
    state: openEnum<CaptureState>(),
    amount: totalAmount,
    is_final_capture: z.boolean().nullish(),
    invoice_number: optionalText,
    custom: optionalText,
    parent_payment: optionalId,
    reason_code: optionalText,
    create_time: optionalInstant,
    update_time: optionalInstant,
    links,
  })
  .transform((wire) => ({
    id: wire.id,
    state: wire.state,
    amount: wire.amount,
    isFinalCapture: wire.is_final_capture ?? undefined,
    invoiceNumber: wire.invoice_number ?? undefined,
    custom: wire.custom ?? undefined,
    paymentId: wire.parent_payment ?? linkedId(wire.links, 'payment'),
    authorizationId: linkedId(wire.links, 'authorization'),
    reasonCode: wire.reason_code ?? undefined,
    createTime: instantOf(wire.create_time),
    updateTime: instantOf(wire.update_time),
  }));
