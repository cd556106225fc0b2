import { z } from 'zod';

export const saleSettings = {
  saleOutcome: z.enum(['completed', 'pending_then_completed', 'pending_then_denied']).default('completed'),
  saleSettleMs: z.int().min(0).max(2_147_483_647).default(1_000),
};
