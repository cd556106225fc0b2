import { z } from 'zod';
import { authorizationSettings } from '../authorizations/authorization-settings.js';
import { agreementSettings } from '../billing-agreements/agreement-settings.js';
import { captureSettings } from '../captures/capture-settings.js';
import { dayLength } from '../clock/time-settings.js';
import { paymentSettings } from '../payments/payment-settings.js';
import { payoutSettings } from '../payouts/payout-settings.js';
import { refundSettings } from '../refunds/refund-settings.js';
import { saleSettings } from '../sales/sale-settings.js';
import { webhookSettings } from '../webhooks/webhook-settings.js';

/** How the service treats one application; `null` where the whole service's setting counts. */
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

/** Settings as they were stored, maybe before there were bounds: what exceeds its bound is taken as the bound. */
export function readStoredSettings(stored: object): ApplicationSettings {
  const reading = applicationSettings.safeParse(stored);
  if (reading.success) return reading.data;
  const tooBig = reading.error.issues.flatMap((issue) =>
    issue.code === 'too_big' && issue.path.length === 1 ? [[issue.path[0], Number(issue.maximum)]] : [],
  );
  return applicationSettings.parse({ ...stored, ...Object.fromEntries(tooBig) });
}
