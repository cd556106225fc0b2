import { z } from 'zod';
import { webhookStatuses } from '../../../../libs/database/src/schema.js';
import { paymentIdPattern } from '../commands/ids.js';

/** Query of GET /v1/webhook-events. */
export const webhookEventListQuery = z.strictObject({
  status: z.enum(webhookStatuses).optional(),
  payment: z.string().regex(paymentIdPattern, 'must be the id of a payment').optional(),
  type: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .meta({
      description: 'The event’s type, as the provider names it.',
      examples: ['PAYMENT.CAPTURE.DENIED'],
    }),
  since: z.iso
    .datetime({ offset: true, error: 'must be an ISO 8601 instant such as "2030-01-31T12:00:00Z"' })
    .transform((instant) => new Date(instant))
    .optional()
    .meta({ description: 'Received then or later.' }),
  limit: z.coerce.number().int().min(1).max(100).default(20),
  cursor: z
    .string()
    .regex(/^[1-9]\d{0,14}$/, 'is not a cursor of this list')
    .transform(Number)
    .optional()
    .meta({ description: 'nextCursor of the page before.' }),
});
export type WebhookEventListQuery = z.output<typeof webhookEventListQuery>;
