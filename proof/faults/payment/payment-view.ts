import { z } from 'zod';
import type { Command } from '../order-service.js';

const amount = z.object({ value: z.string(), currency: z.string() });

export const paymentView = z.object({
  id: z.string(),
  state: z.string(),
  version: z.int(),
  approvalUrl: z.string().nullish(),
  amounts: z.object({
    authorized: amount,
    captured: amount,
    capturable: amount,
    refunded: amount,
    reversed: amount.nullable(),
  }),
  sale: z.object({ id: z.string() }).nullish(),
  captures: z.array(z.object({ id: z.string(), amount, state: z.string() })),
  deadlines: z.object({ honourUntil: z.string().nullable(), approvalBy: z.string().nullish() }),
  reason: z.string().nullish(),
});

/** What an order service reads of a payment; amounts are the engine's decimal strings. */
export type PaymentView = z.infer<typeof paymentView>;

const captureAnswer = z.object({ capture: z.object({ id: z.string() }).nullish() });

/** The provider's id of the capture that a command has made. */
export function captureIdOf({ outcome, answer }: Command): string | undefined {
  return outcome === 'succeeded' ? captureAnswer.parse(answer).capture?.id : undefined;
}
