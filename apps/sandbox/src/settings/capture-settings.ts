import { z } from 'zod';
import { wait } from '../clock/time-settings.js';

export const captureSettings = {
  captureOutcome: z.enum(['completed', 'pending_then_completed', 'pending_then_denied']).default('completed'),
  captureSettleMs: wait.default(1_000),
};
