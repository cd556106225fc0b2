import { z } from 'zod';
import { wait } from '../clock/time-settings.js';

export const saleSettings = {
  saleOutcome: z.enum(['completed', 'pending_then_completed', 'pending_then_denied']).default('completed'),
  saleSettleMs: wait.default(1_000),
};
