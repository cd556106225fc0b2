import { z } from 'zod';
import { authorizationSettings } from '../authorizations/authorization-settings.js';
import { agreementSettings } from '../billing-agreements/agreement-settings.js';
import { captureSettings } from '../captures/capture-settings.js';
import { paymentSettings } from '../payments/payment-settings.js';
import { payoutSettings } from '../payouts/payout-settings.js';
import { refundSettings } from '../refunds/refund-settings.js';
import { saleSettings } from '../sales/sale-settings.js';
import { webhookSettings } from '../webhooks/webhook-settings.js';

/** How the service treats one application; `null` where the whole service's setting counts. */
export const applicationSettings = z.object({
  dayLengthMs: z.int().positive().nullable().default(null),
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
