import { z } from 'zod';

export const saleSettings = {
  saleOutcome: z.enum(['completed', 'pending_then_completed', 'pending_then_denied']).default('completed'),
  saleSettleMs: z.int().nonnegative().default(1_000),
};
