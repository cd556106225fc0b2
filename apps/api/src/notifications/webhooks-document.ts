import { z } from 'zod';
import { type NotificationType, notificationTypeNames, notificationTypes } from '#database/notifications';
import type { DescribedWebhooks } from '../openapi/openapi.js';
import { paymentAnswer } from '../payments/payment-answers.js';
import { payoutAnswer, payoutItemAnswer } from '../payouts/payout-answers.js';
import { shownRefund } from '../refunds/refund-answers.js';
import { subscriptionAnswer } from '../subscriptions/subscription-view.js';
import { shownInstant } from '../wire/fields.js';

/** What the data of a notification is, by the first word of its type. */
const dataOf: Readonly<Record<string, { readonly name: string; readonly schema: z.ZodType }>> = {
  payment: { name: 'PaymentNotification', schema: paymentAnswer },
  refund: { name: 'RefundNotification', schema: shownRefund },
  chargeback: { name: 'ChargebackNotification', schema: shownRefund },
  subscription: { name: 'SubscriptionNotification', schema: subscriptionAnswer },
  payout: { name: 'PayoutNotification', schema: payoutAnswer },
  payout_item: {
    name: 'PayoutItemNotification',
    schema: payoutItemAnswer.extend({ payoutId: z.string() }).meta({ id: 'NotifiedPayoutItem' }),
  },
  endpoint: {
    name: 'TestNotification',
    schema: z.object({ endpointId: z.string() }).meta({ id: 'TestedEndpoint' }),
  },
};

export function describeWebhooks(): DescribedWebhooks {
  return {
    webhooks: Object.fromEntries(notificationTypeNames.map((type) => [type, { post: webhookOf(type) }])),
    schemas: bodies(),
  };
}

function bodies(): readonly z.ZodType[] {
  return Object.entries(dataOf).map(([subject, { name, schema }]) => {
    const types = notificationTypeNames.filter((type) => subjectOf(type) === subject);
    return z
      .object({
        id: z.string().meta({ description: 'Equal to the header `webhook-id`.' }),
        type: z.enum(types),
        createdAt: shownInstant,
        sequence: z.int().meta({ description: 'Grows with each notification of a subject.' }),
        data: schema.meta({ description: 'What GET of the resource answered then.' }),
      })
      .meta({ id: name });
  });
}

function webhookOf(type: NotificationType): object {
  const name = dataOf[subjectOf(type)]?.name ?? '';
  const body = { $ref: `#/components/schemas/${name}` };
  return {
    summary: notificationTypes[type],
    tags: ['Notifications'],
    operationId: type,
    // Signed by the receiver's own secret, not by an API key.
    security: [],
    parameters: signatureHeaders,
    requestBody: {
      required: true,
      content: {
        'application/json': { schema: { allOf: [body, { properties: { type: { const: type } } }] } },
      },
    },
    responses: {
      '2XX': { description: 'Taken. Anything else, or no answer within 15 seconds, is tried again.' },
    },
  };
}

const signatureHeaders = [
  ['webhook-id', 'The same in each attempt: a receiver sees a repetition by it.'],
  ['webhook-timestamp', 'When this attempt was signed, in seconds since 1970.'],
  ['webhook-signature', 'One or two signatures (Standard Webhooks), separated by a space.'],
].map(([name, description]) => ({
  name,
  description,
  in: 'header',
  required: true,
  schema: { type: 'string' },
}));

function subjectOf(type: NotificationType): string {
  return type.slice(0, type.indexOf('.'));
}
