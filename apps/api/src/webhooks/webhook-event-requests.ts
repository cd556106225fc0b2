import { z } from 'zod';
import { webhookStatuses } from '#database/schema';
import { subjectIdPattern, paymentIdPattern } from '../wire/ids.js';
import { instant, text } from '../wire/fields.js';
import { numberCursor, pageFields } from '../wire/pages.js';

/** Query of GET /v1/webhook-events. */
export const webhookEventListQuery = z.strictObject({
  state: z.enum(webhookStatuses).optional().meta({ description: 'Only those in this state.' }),
  subject: z
    .string()
    .regex(subjectIdPattern, 'must be the id of a payment, refund, plan, subscription or payout')
    .optional()
    .meta({ description: 'What the event is about.' }),
  payment: z.string().regex(paymentIdPattern, 'must be the id of a payment').optional(),
  type: text(200)
    .optional()
    .meta({
      description: 'The event’s type, as the provider names it.',
      examples: ['PAYMENT.CAPTURE.DENIED'],
    }),
  since: instant.optional().meta({ description: 'Received then or later.' }),
  ...pageFields(numberCursor),
});
export type WebhookEventListQuery = z.output<typeof webhookEventListQuery>;
