import { z } from 'zod';
import { engineEnvironment } from './engine.js';
import { jsonVariable } from './environment.js';

/** PostgreSQL counts no further back. */
const most = 1_000_000;

const days = (least: number) =>
  z
    .int()
    .min(least, `must be at least ${least} days`)
    .max(most, `must be at most ${most} days: what is absent is kept for good`)
    .optional();

const kept = z.strictObject({
  apiCalls: days(30).describe('Calls to the provider, with headers and bodies'),
  webhookEvents: days(30).describe(
    'Events that were applied, ignored, or parked without a subject, with the record of what was resent',
  ),
  webhookTransmissions: days(30).describe('The body’s hash of each delivery, against altered repetitions'),
  timeline: days(90).describe('Lines of ended subjects but for the last one'),
  notifications: days(30).describe(
    'Notifications that wait for no endpoint, with deliveries and attempts; live events older than that cannot be read again',
  ),
  consoleAudit: days(365).describe('What users of the console did; sign-ins count as `live`'),
  sessions: days(365).describe(
    'Sessions for reading histories after their end, and of the console, which count as `live`',
  ),
});

/** Variables of `npm run purge`. */
export const purgeEnvironment = z.object({
  DATABASE_URL: engineEnvironment.shape.DATABASE_URL,
  RETENTION_DAYS: jsonVariable(z.strictObject({ sandbox: kept.optional(), live: kept.optional() })).describe(
    'JSON: for each environment, for how many days rows are kept after they were written, and those of a subject after it has ended and rested for as long. What is absent is kept for good',
  ),
  PURGE_BATCH: z.coerce
    .number()
    .int()
    .min(1)
    .max(10_000)
    .default(500)
    .describe('How many rows one statement looks at'),
  PURGE_PAUSE_MS: z.coerce
    .number()
    .int()
    .min(0)
    .max(60_000)
    .default(50)
    .describe('The pause between two statements'),
});
