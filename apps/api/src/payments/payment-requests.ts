import { z } from 'zod';
import {
  type PaymentIntent,
  isSale,
  paymentIntents,
  paymentStatuses,
  reviewDecisions,
} from '#workflows/lifecycle/payment';
import { detailsIn, requestedDetails } from './amount-details.js';
import { decisionExample, decisionRequest } from '../reviews/decision.js';
import { approvalTimeoutSeconds, body, instant, redirectUrl, text } from '../wire/fields.js';
import { idCursor, pageFields } from '../wire/pages.js';
import { subjectFilters } from '../wire/filters.js';
import { metadata } from '../wire/metadata.js';
import { shippingAddress } from '../wire/postal-address.js';
import { amountFilters, requestedMoney, withAmounts } from '../wire/wire-money.js';

const capturePolicy = z.discriminatedUnion('mode', [
  z.strictObject({ mode: z.literal('manual') }),
  z.strictObject({ mode: z.literal('automatic') }),
  z.strictObject({ mode: z.literal('at'), at: instant }),
]);

/** A sale holds nothing, so it cannot have these policies. */
const holdPolicies = ['capturePolicy', 'honourPolicy', 'expiryPolicy'] as const;

function refuseHoldPolicies(
  order: { readonly intent: PaymentIntent } & {
    readonly [policy in (typeof holdPolicies)[number]]?: unknown;
  },
  context: z.RefinementCtx,
): void {
  if (!isSale(order)) return;
  for (const field of holdPolicies) {
    if (order[field] === undefined) continue;
    context.addIssue({
      code: 'custom',
      path: [field],
      message: 'is not allowed for a sale, which holds no funds',
    });
  }
}

const orderId = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._:/#-]{0,126}$/, 'must be 1 to 127 letters, digits and . _ : / # -')
  .meta({ description: 'The order service’s id of the order.', examples: ['order-1001'] });

/** Body of POST /v1/payments. */
export const paymentOrderRequest = z
  .strictObject({
    // It is an unencrypted search attribute in Temporal. The pattern excludes e-mail addresses.
    orderId,
    intent: z.enum(paymentIntents).default('authorize').meta({
      description: 'authorize: hold the funds now, capture later. sale: take the money at once.',
    }),
    amount: requestedMoney,
    amountDetails: requestedDetails.optional().meta({
      description:
        'The parts of the amount, which the payer is shown. They add up to it; the discount is taken off.',
    }),
    description: text(127).optional(),
    noteToPayer: text(165)
      .optional()
      .meta({
        description:
          'A note that the provider shows the payer. It is kept encrypted until the provider has it, and shown nowhere.',
        examples: ['Your chairs are sent in two parcels.'],
      }),
    shippingAddress: shippingAddress.optional().meta({
      description:
        'Where the purchase is sent. It is kept encrypted until the provider has it, and shown nowhere.',
    }),
    metadata: metadata.optional(),
    payee: z
      .strictObject({ email: z.email().max(254) })
      .optional()
      .meta({ description: 'Account that receives the funds; the application’s own when absent.' }),
    returnUrl: redirectUrl.meta({
      description:
        'Where the payer’s browser is redirected after approving, with the query parameters `payment_id` and `state` added. The engine itself never calls it.',
      examples: ['https://shop.example/thanks'],
    }),
    cancelUrl: redirectUrl.meta({
      description:
        'Where the payer’s browser is redirected after cancelling, with the query parameters `payment_id` and `state` added. The engine itself never calls it.',
      examples: ['https://shop.example/cart'],
    }),
    capturePolicy: capturePolicy.optional().meta({
      description:
        'When to capture: on request, as soon as authorized, or at an instant (a past instant means as soon as authorized). Default: manual, unless the application is configured otherwise. Not allowed for a sale.',
    }),
    honourPolicy: z
      .strictObject({
        action: z.enum(['warn', 'capture', 'none']).optional().meta({
          description:
            'During the honour period. `warn` (default): write a warning before its end and at its end. `capture`: also capture everything that can be captured before its end.',
        }),
        reauthorize: z.enum(['none', 'once', 'as_allowed']).optional().meta({
          description:
            'After the honour period. Default: none. Otherwise the funds are reauthorized once, or as often as the provider allows.',
        }),
      })
      .optional()
      .meta({ description: 'Not allowed for a sale. An application can be configured with other defaults.' }),
    expiryPolicy: z
      .strictObject({ action: z.enum(['void', 'capture', 'expire']) })
      .optional()
      .meta({
        description:
          'What to do with an uncaptured authorization shortly before the capture window ends. Default: void, unless the application is configured otherwise. Not allowed for a sale.',
      }),
    approvalTimeoutSeconds: approvalTimeoutSeconds.meta({
      description:
        'How long the payer’s approval is awaited; afterwards the payment expires: see `approvalBy`.',
    }),
  })
  .superRefine(refuseHoldPolicies)
  .transform(({ amountDetails, ...order }, context) => ({
    ...order,
    ...(amountDetails && { amountDetails: detailsIn(order.amount, amountDetails, context) }),
  }))
  .meta(
    body('PaymentOrder', {
      orderId: 'order-1001',
      amount: { value: '100.00', currency: 'USD' },
      description: 'Two chairs',
      returnUrl: 'https://shop.example/thanks',
      cancelUrl: 'https://shop.example/cart',
    }),
  );
export type PaymentOrderRequest = z.output<typeof paymentOrderRequest>;

/** Body of POST /v1/payments/{id}/captures. */
export const captureRequest = z
  .strictObject({
    amount: requestedMoney
      .optional()
      .meta({ description: 'Default: everything that can still be captured.' }),
    final: z
      .boolean()
      .optional()
      .meta({ description: 'Release the rest to the payer. Default: true only if nothing is left.' }),
  })
  .meta(body('CaptureRequest', { amount: { value: '30.00', currency: 'USD' } }))
  .default({});
export type CaptureRequest = z.output<typeof captureRequest>;

/** Body of POST /v1/payments/{id}/void: nothing, or an empty object. A void always covers the whole authorization. */
export const voidRequest = z.strictObject({}).meta(body('VoidRequest', {})).optional();

/** Body of POST /v1/payments/{id}/release: nothing, or an empty object. */
export const releaseRequest = z.strictObject({}).meta(body('ReleaseRequest', {})).optional();

/** Body of POST /v1/payments/{id}/cancel: nothing, or an empty object. */
export const cancelRequest = z.strictObject({}).meta(body('PaymentCancelRequest', {})).optional();

/** Body of POST /v1/payments/{id}/reauthorize. */
export const reauthorizeRequest = z
  .strictObject({
    amount: requestedMoney.optional().meta({
      description:
        'The amount to hold besides what was captured. Default: everything that can still be captured. Captured and held together: at most 115 % of the first authorization and at most 75 USD above it.',
    }),
  })
  .meta(body('ReauthorizeRequest', { amount: { value: '70.00', currency: 'USD' } }))
  .default({});
export type ReauthorizeRequest = z.output<typeof reauthorizeRequest>;

/** Body of POST /v1/payments/{id}/review/decision. */
export const paymentDecisionRequest = decisionRequest(reviewDecisions, {
  decision:
    'For a step with an unknown outcome: `happened`, or `did_not_happen` (the step is given up and not repeated). For an authorization of another amount: `void` or `keep`; for a sale: `keep`.',
  evidence: 'the payment or capture that was made',
}).meta(body('ReviewDecision', decisionExample));
export type PaymentDecisionRequest = z.output<typeof paymentDecisionRequest>;

/** Query of GET /v1/payments. */
export const paymentListQuery = z
  .strictObject({
    ...subjectFilters(paymentStatuses),
    orderId: orderId.optional().meta({ description: 'Only those of this order.', examples: [] }),
    ...amountFilters,
    expiringBefore: instant.optional().meta({
      description: 'Only those whose funds are held, and can be captured until an instant before this one.',
    }),
    ...pageFields(idCursor('payment')),
  })
  .transform(withAmounts);
