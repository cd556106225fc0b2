import { z } from 'zod';

export const agreementSettings = {
  /** What an executed agreement becomes; a pending one is settled `agreementSettleMs` later. */
  agreementOutcome: z.enum(['active', 'pending_then_active', 'pending_then_cancelled']).default('active'),
  agreementSettleMs: z.int().nonnegative().default(1_000),
};
