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

export type SaleState = Open<'pending' | 'completed' | 'partially_refunded' | 'refunded' | 'denied'>;

/** An immediate payment that went through (provider-facts; the specification's gap 2.10). */
export interface Sale {
  readonly id: string;
  readonly state: SaleState;
  readonly amount: Amount;
  /** What it was made for: a payment, or a cycle or the setup fee of a subscription. */
  readonly paymentId: string | undefined;
  readonly agreementId: string | undefined;
  readonly reasonCode: string | undefined;
  readonly createTime: string | undefined;
  readonly updateTime: string | undefined;
}

export const sale: z.ZodType<Sale> = z
  .object({
    id: resourceId,
    state: openEnum<SaleState>(),
    amount: totalAmount,
    parent_payment: optionalId,
    billing_agreement_id: optionalId,
    reason_code: optionalText,
    create_time: optionalInstant,
    update_time: optionalInstant,
    links,
  })
  .transform((wire) => ({
    id: wire.id,
    state: wire.state,
    amount: wire.amount,
    paymentId: wire.parent_payment ?? linkedId(wire.links, 'payment'),
    agreementId: wire.billing_agreement_id ?? linkedId(wire.links, 'billing-agreements'),
    reasonCode: wire.reason_code ?? undefined,
    createTime: instantOf(wire.create_time),
    updateTime: instantOf(wire.update_time),
  }));
