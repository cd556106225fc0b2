import { z } from 'zod';
import type { Agreement } from '../provider-account.js';

const amount = z.object({ value: z.string(), currency: z.string() });

export const planView = z.object({ id: z.string(), state: z.string() });

export const subscriptionView = z.object({
  id: z.string(),
  state: z.string(),
  version: z.int(),
  approvalUrl: z.string().nullable(),
  approvalBy: z.string().nullable(),
  cyclesCompleted: z.int(),
  outstanding: amount,
  reason: z.string().nullable(),
});

/** What an order service reads of a subscription. */
export type SubscriptionView = z.infer<typeof subscriptionView>;

export const everyPayment = '?limit=100';
export const paymentList = z
  .object({
    data: z.array(z.object({ id: z.string(), state: z.string(), amount })),
    collected: amount,
  })
  .transform(({ data, collected }) => ({ payments: data, collected }));

/** What the engine says in the end, and what stands at the provider. */
export interface SubscribedPayer {
  readonly subscription: SubscriptionView;
  readonly payments: z.infer<typeof paymentList>;
  /** All that were executed for the order. */
  readonly agreements: readonly Agreement[];
  /** How many plans of its name there are. */
  readonly plans: number;
}
