import { z } from 'zod';
import { wait } from '../clock/time-settings.js';

/** The outcome of an item when it is paid. Pending ones end `payoutSettleMs` later. */
const ITEM_OUTCOMES = [
  'success',
  'failed',
  'unclaimed',
  'onhold',
  'blocked',
  'pending_then_success',
  'pending_then_failed',
] as const;

const payoutRule = z.strictObject({
  /** A receiver as items give it, upper and lower case alike. */
  receiver: z.string().min(1).max(127),
  outcome: z.enum(ITEM_OUTCOMES),
});

export type ItemOutcome = (typeof ITEM_OUTCOMES)[number];

/** Times in milliseconds. */
export const payoutSettings = {
  /** `denied`: the money leaves and is returned; `unfunded`: the sender's balance is too small, nothing leaves. */
  payoutOutcome: z.enum(['success', 'denied', 'unfunded']).default('success'),
  /** How long a batch is PENDING, and then PROCESSING. */
  payoutPendingMs: wait.default(200),
  payoutProcessingMs: wait.default(500),
  payoutSettleMs: wait.default(1_000),
  /** The first rule for a receiver decides. */
  payoutRules: z.array(payoutRule).max(1_000).default([]),
  /** The outcome of items whose receiver no rule names. */
  payoutUnknownReceivers: z.enum(['success', 'unclaimed']).default('success'),
  /** Of items of one batch with the same `sender_item_id`: pay the first and fail the others, or pay them all. */
  payoutDuplicateItems: z.enum(['fail', 'pay']).default('fail'),
};
