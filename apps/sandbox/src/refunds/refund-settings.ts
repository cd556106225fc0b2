import { z } from 'zod';

export const refundSettings = {
  refundOutcome: z
    .enum(['completed', 'pending_then_completed', 'pending_then_failed', 'pending_then_cancelled'])
    .default('completed'),
  refundSettleMs: z.int().min(0).max(2_147_483_647).default(1_000),
};
