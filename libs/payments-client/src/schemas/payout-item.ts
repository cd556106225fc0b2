import { z } from 'zod';
import type { Amount } from '../money.js';
import {
  instantOf,
  type Open,
  openEnum,
  optionalAmount,
  optionalId,
  optionalInstant,
  optionalText,
  resourceId,
} from './received.js';

export type PayoutItemStatus = Open<
  'SUCCESS' | 'FAILED' | 'PENDING' | 'UNCLAIMED' | 'RETURNED' | 'ONHOLD' | 'BLOCKED' | 'REFUNDED' | 'REVERSED'
>;

/** One payment of a payout batch. Its receiver is left out: the caller knows it by `senderItemId`. */
export interface PayoutItem {
  readonly id: string;
  readonly batchId: string;
  /** Undefined if the provider shows none yet. */
  readonly status: PayoutItemStatus | undefined;
  readonly senderItemId: string | undefined;
  readonly amount: Amount | undefined;
  readonly fee: Amount | undefined;
  /** Present once it was paid, or a payment was tried. */
  readonly transactionId: string | undefined;
  /** Why it was not paid, or has come back: the provider's error name. */
  readonly errorCode: string | undefined;
  /** ISO 8601. */
  readonly processTime: string | undefined;
}

export const payoutItem: z.ZodType<PayoutItem> = z
  .object({
    payout_item_id: resourceId,
    payout_batch_id: resourceId,
    transaction_status: openEnum<PayoutItemStatus>().nullish(),
    transaction_id: optionalId,
    payout_item_fee: optionalAmount,
    payout_item: z.object({ sender_item_id: optionalText, amount: optionalAmount }).nullish(),
    errors: z.object({ name: optionalText }).nullish(),
    time_processed: optionalInstant,
  })
  .transform((wire) => ({
    id: wire.payout_item_id,
    batchId: wire.payout_batch_id,
    status: wire.transaction_status ?? undefined,
    senderItemId: wire.payout_item?.sender_item_id ?? undefined,
    amount: wire.payout_item?.amount ?? undefined,
    fee: wire.payout_item_fee ?? undefined,
    transactionId: wire.transaction_id ?? undefined,
    errorCode: wire.errors?.name ?? undefined,
    processTime: instantOf(wire.time_processed),
  }));
