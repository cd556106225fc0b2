import { z } from 'zod';
import { captureSettings } from '../captures/capture-settings.js';
import { paymentSettings } from '../payments/payment-settings.js';
import { saleSettings } from '../sales/sale-settings.js';

/** How the service treats one application; `null` where the whole service's setting counts. */
export const applicationSettings = z.object({
  dayLengthMs: z.int().positive().nullable().default(null),
  idempotency: z.enum(['declared', 'all']).default('declared'),
  ...paymentSettings,
  ...captureSettings,
  ...saleSettings,
});

export type ApplicationSettings = z.output<typeof applicationSettings>;
