import { z } from 'zod';
import { wait } from '../clock/time-settings.js';

export const authorizationSettings = {
  /** Whether a reauthorization keeps the authorization's own id or gets a new one. */
  reauthorizationId: z.enum(['same', 'new']).default('same'),
  reauthorizationTimes: z.enum(['once', 'many']).default('once'),
  authorizationOutcome: z
    .enum(['authorized', 'pending_then_authorized', 'pending_then_denied'])
    .default('authorized'),
  authorizationSettleMs: wait.default(1_000),
  /** State of a payment while its authorization or its sale is pending. */
  pendingPaymentState: z.enum(['approved', 'in_progress']).default('approved'),
};
