import { z } from 'zod';
import { subscriptionStatuses } from '#workflows/lifecycle/subscription';
import { approvalTimeoutSeconds, body, instant, redirectUrl, text, wholeNumber } from '../wire/fields.js';
import { stepDecisions } from '#workflows/lifecycle/step';
import { decisionExample, decisionRequest } from '../reviews/decision.js';
import { subjectFilters } from '../wire/filters.js';
import { idPattern } from '../wire/ids.js';
import { metadata } from '../wire/metadata.js';
import { idCursor, instantCursor, pageFields } from '../wire/pages.js';
import { postalAddress } from '../wire/postal-address.js';
import { requestedBalance, requestedMoney } from '../wire/wire-money.js';

/** Body of POST /v1/subscriptions. */
export const subscriptionOrderRequest = z
  .strictObject({
    planId: text(127).meta({ description: 'Id of an active plan.' }),
    startDate: instant.meta({ description: 'When the first cycle is billed; must be in the future.' }),
    name: text(128)
      .optional()
      .meta({ description: 'The name that the payer sees. Default: the plan’s name.' }),
    description: text(128).optional().meta({ description: 'Default: the plan’s description.' }),
    shippingAddress: postalAddress.optional().meta({
      description:
        'Where the goods of the subscription go. It is sent to the provider, and neither shown nor kept in the engine’s tables.',
    }),
    metadata: metadata.optional(),
    returnUrl: redirectUrl.meta({
      description:
        'Where the payer’s browser is redirected after approving, with the query parameters `subscription_id` and `state` added. The engine itself never calls it.',
      examples: ['https://shop.example/welcome'],
    }),
    cancelUrl: redirectUrl.meta({
      description:
        'Where the payer’s browser is redirected after cancelling, with the query parameters `subscription_id` and `state` added. The engine itself never calls it.',
      examples: ['https://shop.example/plans'],
    }),
    approvalTimeoutSeconds: approvalTimeoutSeconds.meta({
      description:
        'How long the payer’s approval is awaited, at most until `startDate`; afterwards the subscription lapses: see `approvalBy`.',
    }),
  })
  .meta(
    body('SubscriptionOrder', {
      planId: 'plan_01jz3v8q5k2m4n6p8r0s1t3v5w7x9y1z2a4b',
      startDate: '2040-01-31T12:00:00Z',
      returnUrl: 'https://shop.example/welcome',
      cancelUrl: 'https://shop.example/plans',
    }),
  );
export type SubscriptionOrderRequest = z.output<typeof subscriptionOrderRequest>;

const note = text(128).optional().meta({
  description:
    'The reason. It is sent to the provider and shown in the timeline, so it must not contain private data.',
});

/** Body of suspend, reactivate and cancel. */
export const changeRequest = z
  .strictObject({ note })
  .meta(body('SubscriptionChange', { note: 'Asked for by the customer' }))
  .default({});
export type ChangeRequest = z.output<typeof changeRequest>;

/** Body of POST /v1/subscriptions/{id}/bill-balance. */
export const billBalanceRequest = z
  .strictObject({
    amount: requestedMoney
      .optional()
      .meta({ description: 'At most what is outstanding. Default: everything that is outstanding.' }),
    note,
  })
  .meta(body('BillBalanceRequest', { amount: { value: '9.00', currency: 'USD' } }))
  .default({});
export type BillBalanceRequest = z.output<typeof billBalanceRequest>;

/** Body of POST /v1/subscriptions/{id}/set-balance. */
export const setBalanceRequest = z
  .strictObject({
    balance: requestedBalance.meta({
      description: 'What stays outstanding: less than now. Zero forgives everything.',
    }),
    note: text(128).optional().meta({
      description: 'The reason. It is shown in the timeline, so it must not contain private data.',
    }),
  })
  .meta(body('SetBalanceRequest', { balance: { value: '0.00', currency: 'USD' } }));
export type SetBalanceRequest = z.output<typeof setBalanceRequest>;

/** Body of POST /v1/subscriptions/{id}/review/decision. */
export const subscriptionDecisionRequest = decisionRequest(stepDecisions, {
  decision:
    'For a step with an unknown outcome. After `did_not_happen` the step is given up and not repeated.',
  evidence: 'the agreement, or the sale by which the balance was collected',
}).meta(body('SubscriptionReviewDecision', decisionExample));
export type SubscriptionDecisionRequest = z.output<typeof subscriptionDecisionRequest>;

/** Query of GET /v1/subscriptions. */
export const subscriptionListQuery = z.strictObject({
  ...subjectFilters(subscriptionStatuses),
  planId: z.string().regex(idPattern('plan'), 'must be the id of a plan').optional(),
  ...pageFields(idCursor('subscription')),
});

/** Query of GET /v1/subscriptions/{id}/payments. */
export const paymentListQuery = z.strictObject({
  ...pageFields(instantCursor),
  limit: wholeNumber(1, 100).default(20).meta({
    description: 'A page is longer if several payments have the instant of its last one.',
  }),
});
export type PaymentListQuery = z.output<typeof paymentListQuery>;

const token = z
  .string()
  .min(1)
  .max(127)
  .regex(/^[\x21-\x7e]+$/, 'must be printable ASCII');

/** What the provider adds to the payer's return addresses. */
export const subscriberReturnQuery = z.object({
  token: token.meta({ description: 'The token of the approval address.' }),
});
export type SubscriberReturnQuery = z.output<typeof subscriberReturnQuery>;
