import { z } from 'zod';
import { deliveryStates } from '#database/schema';
import { instant } from '../wire/fields.js';
import { subjectIdPattern } from '../wire/ids.js';
import { numberCursor, pageFields } from '../wire/pages.js';
import { notificationType } from './endpoint-requests.js';
import { endpointIdPattern } from './notification-endpoints.js';

/** Query of GET /v1/notifications. */
export const notificationListQuery = z.strictObject({
  type: notificationType.optional(),
  subject: z
    .string()
    .regex(subjectIdPattern, 'must be the id of a payment, refund, plan, subscription or payout')
    .optional()
    .meta({ description: 'What they are about.' }),
  endpoint: z.string().regex(endpointIdPattern, 'must be the id of a notification endpoint').optional(),
  state: z
    .enum(deliveryStates)
    .optional()
    .meta({ description: 'With a delivery in this state, to the endpoint if one is named.' }),
  from: instant.optional().meta({ description: 'Created then or later.' }),
  to: instant.optional().meta({ description: 'Created before.' }),
  ...pageFields(numberCursor),
});
export type NotificationListQuery = z.output<typeof notificationListQuery>;
