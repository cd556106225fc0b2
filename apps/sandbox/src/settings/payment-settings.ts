import { z } from 'zod';
import { nonzeroWait } from '../clock/time-settings.js';
import { countryCode } from '../http/validation.js';

const DECIMAL = /^\d{1,10}(\.\d{1,3})?$/;

/** The first rule whose conditions all hold decides; `minTotal` and `maxTotal` are inclusive decimals. */
const approvalRule = z.strictObject({
  payeeEmail: z.email().optional(),
  minTotal: z.string().regex(DECIMAL).optional(),
  maxTotal: z.string().regex(DECIMAL).optional(),
  approval: z.enum(['payer', 'immediate']),
});

export type ApprovalRule = z.output<typeof approvalRule>;

export const paymentSettings = {
  approval: z.enum(['payer', 'immediate']).nullable().default(null),
  approvalRules: z.array(approvalRule).max(100).default([]),
  /**
   * How long a payment waits for approval and execution: real time, because a payer needs real time with short days,
   * too.
   */
  approvalWindowMs: nonzeroWait.default(3 * 3_600_000),
  /** Two-letter codes of the countries whose direct cards are refused, and whose accounts cannot accept any. */
  cardRefusedCountries: z.array(countryCode).max(250).default([]),
  /** 'ignored' lets requests that were recorded years ago be sent again. */
  cardExpiry: z.enum(['checked', 'ignored']).default('checked'),
};
