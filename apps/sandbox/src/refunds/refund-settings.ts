import { z } from 'zod';

export const refundSettings = {
  refundOutcome: z
    .enum(['completed', 'pending_then_completed', 'pending_then_failed', 'pending_then_cancelled'])
    .default('completed'),
  refundSettleMs: z.int().nonnegative().default(1_000),
};
