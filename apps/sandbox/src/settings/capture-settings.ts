import { z } from 'zod';
import { wait } from '../clock/time-settings.js';

export const captureSettings = {
  captureOutcome: z.enum(['completed', 'pending_then_completed', 'pending_then_denied']).default('completed'),
  captureSettleMs: wait.default(1_000),
  /**
   * Whether a capture succeeds once the honour period is over: always, if the payer's account still pays (its
   * `fundingDeclines`), with a probability, or never.
   */
  captureAfterHonour: z.enum(['always', 'by_balance', 'by_chance', 'never']).default('always'),
  /** The probability of success for `by_chance`. */
  captureAfterHonourChance: z.number().min(0).max(1).default(0.5),
};
