import { z } from 'zod';

const amount = z.object({ value: z.string(), currency: z.string() });

export const payoutView = z.object({
  id: z.string(),
  state: z.string(),
  version: z.int(),
  reason: z.string().nullable(),
  totals: z.record(z.string(), z.object({ count: z.int(), amount })),
});

/** What an order service reads of a payout. */
export type PayoutView = z.infer<typeof payoutView>;

const itemView = z.object({ itemId: z.string(), amount, state: z.string() });
export type ItemView = z.infer<typeof itemView>;

export const itemList = z.object({ data: z.array(itemView), nextCursor: z.string().nullable() });

/** What the engine says in the end: of the batch, and of each of its items. */
export interface PaidOut {
  readonly payout: PayoutView;
  readonly items: readonly ItemView[];
}
