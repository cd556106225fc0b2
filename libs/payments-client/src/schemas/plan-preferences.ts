import { z } from 'zod';
import type { Dialect } from '../dialect.js';
import type { Amount } from '../money.js';
import { sentValueOrZero, webAddress } from './sent.js';

/** How a plan's agreements are paid (2.5, merchant_preferences). */
export interface PlanPreferencesRequest {
  /** The payer's return address; the agreement's `token` is added to it. */
  readonly returnUrl: string;
  readonly cancelUrl: string;
  /** Collected once, when an agreement becomes active. */
  readonly setupFee?: Amount | undefined;
  /** Whether what is outstanding is collected with the next cycle. */
  readonly autoBillAmount?: 'YES' | 'NO' | undefined;
  /** Whether an agreement with a declined setup fee continues with the fee outstanding, or ends. */
  readonly initialAmountFailAction?: 'CONTINUE' | 'CANCEL' | undefined;
  /** Failed payments in a row after which an agreement is suspended; 0: never. */
  readonly maxFailAttempts?: number | undefined;
}

export const planPreferences = z.strictObject({
  returnUrl: webAddress,
  cancelUrl: webAddress,
  setupFee: sentValueOrZero.optional(),
  autoBillAmount: z.enum(['YES', 'NO']).optional(),
  initialAmountFailAction: z.enum(['CONTINUE', 'CANCEL']).optional(),
  maxFailAttempts: z.int().min(0).max(999).optional(),
});

/** Any of them: the preferences that an agreement or a change of the plan overrides. */
export const partialPreferences = planPreferences.partial();

type Preferences = z.output<typeof partialPreferences>;

export function spellPreferences(dialect: Dialect, request: Preferences): object {
  const { maxFailAttempts } = request;
  return {
    setup_fee: request.setupFee,
    return_url: request.returnUrl,
    cancel_url: request.cancelUrl,
    [dialect.autoBillAmount]: request.autoBillAmount,
    [dialect.initialAmountFailAction]: request.initialAmountFailAction,
    max_fail_attempts: maxFailAttempts === undefined ? undefined : String(maxFailAttempts),
  };
}
