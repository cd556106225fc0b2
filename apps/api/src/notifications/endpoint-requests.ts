import { z } from 'zod';
import { notificationTypeNames } from '#database/notifications';
import { body, instant, redirectUrl, text } from '../wire/fields.js';

const url = redirectUrl.meta({
  description: 'Where notifications are sent: https, on the public internet.',
  examples: ['https://shop.example/payments/notifications'],
});
const description = text(200)
  .nullable()
  .meta({ description: 'For people.', examples: ['Order service'] });
export const notificationType = z.enum(notificationTypeNames);
const eventTypes = z
  .array(notificationType)
  .max(notificationTypeNames.length)
  .transform((types) => [...new Set(types)])
  .meta({
    description: 'The types that it takes; an empty list takes all, also those that come later.',
    examples: [['payment.captured', 'payment.hold_expiring']],
  });

/** Body of POST /v1/notification-endpoints. */
export const newEndpointRequest = z
  .strictObject({ url, description: description.default(null), eventTypes: eventTypes.default([]) })
  .meta(
    body('NewNotificationEndpoint', {
      url: 'https://example.com/payments/notifications',
      description: 'Order service',
      eventTypes: ['payment.captured', 'payment.hold_expiring'],
    }),
  );
export type NewEndpointRequest = z.output<typeof newEndpointRequest>;

/** Body of PATCH /v1/notification-endpoints/{id}. */
export const endpointChangeRequest = z
  .strictObject({
    url: url.optional(),
    description: description.optional(),
    eventTypes: eventTypes.optional(),
    state: z.enum(['enabled', 'disabled']).optional().meta({
      description:
        'Nothing is sent while it is disabled. When it is enabled again, what was pending is sent; what was written meanwhile has failed, and a replay sends it.',
    }),
  })
  .meta(body('NotificationEndpointChange', { eventTypes: [], state: 'enabled' }));
export type EndpointChangeRequest = z.output<typeof endpointChangeRequest>;

/** Body of POST /v1/notification-endpoints/{id}/rotate-secret. */
export const rotationRequest = z
  .strictObject({
    overlapHours: z
      .int()
      .min(0)
      .max(168)
      .default(24)
      .meta({ description: 'How long the secret before signs, too.', examples: [24] }),
  })
  .default({ overlapHours: 24 })
  .meta(body('SecretRotation', { overlapHours: 24 }));
export type RotationRequest = z.output<typeof rotationRequest>;

/** Body of POST /v1/notification-endpoints/{id}/replay. */
export const replayRequest = z
  .union([
    z.strictObject({ failed: z.literal(true).meta({ description: 'All deliveries that failed.' }) }),
    z
      .strictObject({
        from: instant.meta({ description: 'Created then or later.', examples: ['2030-01-31T12:00:00Z'] }),
        to: instant.meta({ description: 'Created before.', examples: ['2030-02-01T12:00:00Z'] }),
      })
      .refine(({ from, to }) => from < to, { path: ['to'], error: 'must be later than `from`' }),
  ])
  .meta(body('NotificationReplay', { failed: true }));
export type ReplayRequest = z.output<typeof replayRequest>;
