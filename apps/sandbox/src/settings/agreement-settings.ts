import { z } from 'zod';
import { wait } from '../clock/time-settings.js';

export const agreementSettings = {
  /** The state of an executed agreement; a pending one ends `agreementSettleMs` later. */
  agreementOutcome: z.enum(['active', 'pending_then_active', 'pending_then_cancelled']).default('active'),
  agreementSettleMs: wait.default(1_000),
};
