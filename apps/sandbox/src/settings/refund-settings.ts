import { z } from 'zod';
import { wait } from '../clock/time-settings.js';

export const refundSettings = {
  refundOutcome: z
    .enum(['completed', 'pending_then_completed', 'pending_then_failed', 'pending_then_cancelled'])
    .default('completed'),
  refundSettleMs: wait.default(1_000),
};
