import { z } from 'zod';
import { dayLength } from '../clock/time-settings.js';
import { agreementSettings } from './agreement-settings.js';
import { authorizationSettings } from './authorization-settings.js';
import { captureSettings } from './capture-settings.js';
import { paymentSettings } from './payment-settings.js';
import { payoutSettings } from './payout-settings.js';
import { refundSettings } from './refund-settings.js';
import { saleSettings } from './sale-settings.js';
import { webhookSettings } from './webhook-settings.js';

/** How the service treats one application; `null` when the setting of the whole service applies. */
export const applicationSettings = z.object({
  dayLengthMs: dayLength.nullable().default(null),
  idempotency: z.enum(['declared', 'all']).default('declared'),
  ...paymentSettings,
  ...authorizationSettings,
  ...captureSettings,
  ...saleSettings,
  ...refundSettings,
  ...payoutSettings,
  ...webhookSettings,
  ...agreementSettings,
});

export type ApplicationSettings = z.output<typeof applicationSettings>;

/** Settings as they were stored, maybe before there were bounds: values beyond a bound are reduced to it. */
export function readStoredSettings(stored: object): ApplicationSettings {
  const reading = applicationSettings.safeParse(stored);
  if (reading.success) return reading.data;
  const tooBig = reading.error.issues.flatMap((issue) =>
    issue.code === 'too_big' && issue.path.length === 1 ? [[issue.path[0], Number(issue.maximum)]] : [],
  );
  return applicationSettings.parse({ ...stored, ...Object.fromEntries(tooBig) });
}
