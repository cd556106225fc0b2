import { z } from 'zod';
import { linkedId } from '../linked-id.js';
import type { Amount } from '../money.js';
import { type Authorization, authorization } from './authorization.js';
import { type Capture, capture } from './capture.js';
import { approvalUrl, links } from './link.js';
import {
  instantOf,
  type Open,
  openEnum,
  isListed,
  optionalCount,
  optionalInstant,
  optionalText,
  resourceId,
  totalAmount,
} from './received.js';
import { type Refund, refund } from './refund.js';
import { type Sale, sale } from './sale.js';

export type PaymentState = Open<'created' | 'approved' | 'failed' | 'partially_completed' | 'in_progress'>;

/** A payment (2.2). */
export interface Payment {
  readonly id: string;
  readonly state: PaymentState;
  readonly intent: Open<'sale' | 'authorize'> | undefined;
  /** Where the payer approves; undefined once there is nothing left to approve. */
  readonly approvalUrl: string | undefined;
  /** Known from the payer's approval on: what execute needs. */
  readonly payerId: string | undefined;
  /** VERIFIED once the payer has approved. */
  readonly payerStatus: string | undefined;
  readonly failureReason: string | undefined;
  readonly transactions: readonly Transaction[];
  readonly createTime: string | undefined;
  readonly updateTime: string | undefined;
}

export interface Transaction {
  readonly amount: Amount | undefined;
  readonly invoiceNumber: string | undefined;
  readonly custom: string | undefined;
  /** From the related resources, or from the transaction's links where only those are given (2.2). */
  readonly authorizationId: string | undefined;
  readonly saleId: string | undefined;
  readonly authorizations: readonly Authorization[];
  readonly captures: readonly Capture[];
  readonly sales: readonly Sale[];
  readonly refunds: readonly Refund[];
}

// Each entry holds one resource under the name of its kind; kinds that this list does not name are dropped.
const relatedResource = z.object({
  authorization: authorization.nullish(),
  capture: capture.nullish(),
  sale: sale.nullish(),
  refund: refund.nullish(),
});

const transaction = z
  .object({
    amount: totalAmount.nullish(),
    invoice_number: optionalText,
    custom: optionalText,
    related_resources: z.array(relatedResource).nullish(),
    links,
  })
  .transform((wire): Transaction => {
    const related = wire.related_resources ?? [];
    const authorizations = related.flatMap(({ authorization }) => authorization ?? []);
    const sales = related.flatMap(({ sale }) => sale ?? []);
    return {
      amount: wire.amount ?? undefined,
      invoiceNumber: wire.invoice_number ?? undefined,
      custom: wire.custom ?? undefined,
      authorizationId: authorizations.at(-1)?.id ?? linkedId(wire.links, 'authorization'),
      saleId: sales.at(-1)?.id ?? linkedId(wire.links, 'sale'),
      authorizations,
      captures: related.flatMap(({ capture }) => capture ?? []),
      sales,
      refunds: related.flatMap(({ refund }) => refund ?? []),
    };
  });

const payer = z.object({
  status: optionalText,
  payer_info: z.object({ payer_id: optionalText }).nullish(),
});

export const payment: z.ZodType<Payment> = z
  .object({
    id: resourceId,
    state: openEnum<PaymentState>(),
    intent: optionalText,
    payer: payer.nullish(),
    failure_reason: optionalText,
    transactions: z.array(transaction).nullish(),
    create_time: optionalInstant,
    update_time: optionalInstant,
    links,
  })
  .transform((wire) => ({
    id: wire.id,
    state: wire.state,
    intent: wire.intent ?? undefined,
    approvalUrl: approvalUrl(wire.links),
    payerId: wire.payer?.payer_info?.payer_id ?? undefined,
    payerStatus: wire.payer?.status ?? undefined,
    failureReason: wire.failure_reason ?? undefined,
    transactions: wire.transactions ?? [],
    createTime: instantOf(wire.create_time),
    updateTime: instantOf(wire.update_time),
  }));

/** One page of a search, newest first; `nextId` is the `startId` of the next page. */
export interface PaymentPage {
  readonly payments: readonly Payment[];
  readonly nextId: string | undefined;
}

export const paymentPage: z.ZodType<PaymentPage> = z
  .object({ payments: z.array(payment).nullish(), count: optionalCount, next_id: optionalText })
  .refine(({ payments, count }) => isListed(payments, count), 'does not list what it counts')
  // A page without a next one may say so with an empty string.
  .transform((wire) => ({ payments: wire.payments ?? [], nextId: wire.next_id || undefined }));
