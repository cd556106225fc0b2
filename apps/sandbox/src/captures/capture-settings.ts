import { z } from 'zod';

export const captureSettings = {
  captureOutcome: z.enum(['completed', 'pending_then_completed', 'pending_then_denied']).default('completed'),
  captureSettleMs: z.int().nonnegative().default(1_000),
};
