import { z } from 'zod';

const DECIMAL = /^\d{1,10}(\.\d{1,3})?$/;

/** The first rule whose conditions all hold decides; `minTotal` and `maxTotal` are inclusive decimals. */
const approvalRule = z.strictObject({
  payeeEmail: z.email().optional(),
  minTotal: z.string().regex(DECIMAL).optional(),
  maxTotal: z.string().regex(DECIMAL).optional(),
  approval: z.enum(['payer', 'immediate']),
});

export type ApprovalRule = z.output<typeof approvalRule>;

/** How the service treats one application; `null` where the whole service's setting counts. */
export const applicationSettings = z.object({
  approval: z.enum(['payer', 'immediate']).nullable().default(null),
  approvalRules: z.array(approvalRule).max(100).default([]),
  dayLengthMs: z.int().positive().nullable().default(null),
  /** How long a payment waits for approval and execution: real time, because a payer takes real time on short days too. */
  approvalWindowMs: z
    .int()
    .positive()
    .default(3 * 3_600_000),
  idempotency: z.enum(['declared', 'all']).default('declared'),
  captureOutcome: z.enum(['completed', 'pending_then_completed', 'pending_then_denied']).default('completed'),
  captureSettleMs: z.int().nonnegative().default(1_000),
});

export type ApplicationSettings = z.output<typeof applicationSettings>;
