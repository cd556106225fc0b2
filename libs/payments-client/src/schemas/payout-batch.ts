import { z } from 'zod';
import type { Amount } from '../money.js';
import { links } from './link.js';
import { type PayoutItem, payoutItem } from './payout-item.js';
import {
  countOf,
  instantOf,
  type Open,
  openEnum,
  optionalAmount,
  optionalCount,
  optionalInstant,
  optionalText,
  resourceId,
} from './received.js';

export type PayoutBatchStatus = Open<'DENIED' | 'PENDING' | 'PROCESSING' | 'SUCCESS' | 'CANCELED'>;

/** Many payments made in one call. SUCCESS means that the provider has processed it, not that every item was paid. */
export interface PayoutBatch {
  readonly id: string;
  readonly status: PayoutBatchStatus;
  /** Our own reference, as sent. */
  readonly senderBatchId: string | undefined;
  /** Of all items; undefined in the answer to the creation, as are the fees. */
  readonly amount: Amount | undefined;
  readonly fees: Amount | undefined;
  readonly createTime: string | undefined;
  readonly completeTime: string | undefined;
}

const header = z
  .object({
    payout_batch_id: resourceId,
    batch_status: openEnum<PayoutBatchStatus>(),
    sender_batch_header: z.object({ sender_batch_id: optionalText }).nullish(),
    amount: optionalAmount,
    fees: optionalAmount,
    time_created: optionalInstant,
    time_completed: optionalInstant,
  })
  .transform((wire): PayoutBatch => ({
    id: wire.payout_batch_id,
    status: wire.batch_status,
    senderBatchId: wire.sender_batch_header?.sender_batch_id ?? undefined,
    amount: wire.amount ?? undefined,
    fees: wire.fees ?? undefined,
    createTime: instantOf(wire.time_created),
    completeTime: instantOf(wire.time_completed),
  }));

export const payoutBatch: z.ZodType<PayoutBatch> = z
  .object({ batch_header: header })
  .transform((wire) => wire.batch_header);

/** A batch and a page of its items; `hasNextLink`: it says itself that another one follows. */
export interface ListedPayoutItems {
  readonly batch: PayoutBatch;
  readonly items: readonly PayoutItem[];
  readonly totalItems: number | undefined;
  readonly hasNextLink: boolean;
}

export const payoutPage: z.ZodType<ListedPayoutItems> = z
  .object({
    batch_header: header,
    items: z.array(payoutItem).nullish(),
    total_items: optionalCount,
    links,
  })
  .transform((wire) => ({
    batch: wire.batch_header,
    items: wire.items ?? [],
    totalItems: countOf(wire.total_items),
    hasNextLink: wire.links?.some(({ rel }) => rel.toLowerCase() === 'next') ?? false,
  }));
