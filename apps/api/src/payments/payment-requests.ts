import { z } from 'zod';
import {
  type PaymentIntent,
  isSale,
  paymentIntents,
  paymentStatuses,
  reviewDecisions,
} from '#workflows/lifecycle/payment';
import { decisionRequest } from '../reviews/decision.js';
import { approvalTimeoutSeconds, instant, redirectUrl, text } from '../wire/fields.js';
import { idCursor, pageFields } from '../wire/pages.js';
import { requestedMoney } from '../wire/wire-money.js';

const capturePolicy = z.discriminatedUnion('mode', [
  z.strictObject({ mode: z.literal('manual') }),
  z.strictObject({ mode: z.literal('automatic') }),
  z.strictObject({ mode: z.literal('at'), at: instant }),
]);

/** Of a sale, which holds nothing, none of them can be kept. */
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
    context.addIssue({ code: 'custom', path: [field], message: 'is not for a sale, which holds nothing' });
  }
}

/** Body of POST /v1/payments. */
export const paymentOrderRequest = z
  .strictObject({
    // Runs are searched by it in Temporal, where it is not encrypted: the alphabet leaves no room for an e-mail.
    orderId: z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9._:/#-]{0,126}$/, 'must be 1 to 127 letters, digits and . _ : / # -')
      .meta({ description: 'The order service’s own id of the order.', examples: ['order-1001'] }),
    intent: z.enum(paymentIntents).default('authorize').meta({
      description: 'authorize: hold the funds now, capture later. sale: take the money at once.',
    }),
    amount: requestedMoney,
    description: text(127).optional(),
    payee: z
      .strictObject({ email: z.email().max(254) })
      .optional()
      .meta({ description: 'Account that receives the funds; the application’s own when absent.' }),
    returnUrl: redirectUrl.meta({
      description: 'Where the payer’s browser is sent after approving. Never called by the engine itself.',
      examples: ['https://shop.example/thanks'],
    }),
    cancelUrl: redirectUrl.meta({
      description: 'Where the payer’s browser is sent after cancelling. Never called by the engine itself.',
      examples: ['https://shop.example/cart'],
    }),
    capturePolicy: capturePolicy.optional().meta({
      description:
        'Not with a sale. Default: manual, where the application is not configured otherwise. Capture on request, as soon as authorized, or at an instant: one that has passed means as soon as authorized.',
    }),
    honourPolicy: z
      .strictObject({
        action: z.enum(['warn', 'capture', 'none']).optional().meta({
          description:
            'While the funds are guaranteed. Default: warn, before the end of that and at it. capture: besides, what can be captured is, before the end.',
        }),
        reauthorize: z.enum(['none', 'once', 'as_allowed']).optional().meta({
          description:
            'When they are not guaranteed any more. Default: none. Else they are reauthorized, once or as often as the provider allows.',
        }),
      })
      .optional()
      .meta({ description: 'Not with a sale. An application can be configured to have other defaults.' }),
    expiryPolicy: z
      .strictObject({ action: z.enum(['void', 'capture', 'expire']) })
      .optional()
      .meta({
        description:
          'Not with a sale. Default: void, where the application is not configured otherwise. What becomes of a hold that nobody captured when its window is about to close.',
      }),
    approvalTimeoutSeconds: approvalTimeoutSeconds.meta({
      description: 'How long the payer’s approval is awaited; the payment expires then.',
    }),
  })
  .superRefine(refuseHoldPolicies)
  .meta({ id: 'PaymentOrder' });
export type PaymentOrderRequest = z.output<typeof paymentOrderRequest>;

/** Body of POST /v1/payments/{id}/captures. */
export const captureRequest = z
  .strictObject({
    amount: requestedMoney.optional().meta({ description: 'All that can still be captured when absent.' }),
    final: z
      .boolean()
      .optional()
      .meta({ description: 'Release the rest to the payer. Absent: true exactly when nothing is left.' }),
  })
  .meta({ id: 'CaptureRequest' })
  .default({});
export type CaptureRequest = z.output<typeof captureRequest>;

/** Body of POST /v1/payments/{id}/void: nothing, or an empty object. A hold is released as a whole. */
export const voidRequest = z.strictObject({}).meta({ id: 'VoidRequest' }).optional();

/** Body of POST /v1/payments/{id}/release: nothing, or an empty object. */
export const releaseRequest = z.strictObject({}).meta({ id: 'ReleaseRequest' }).optional();

/** Body of POST /v1/payments/{id}/cancel: nothing, or an empty object. */
export const cancelRequest = z.strictObject({}).meta({ id: 'PaymentCancelRequest' }).optional();

/** Body of POST /v1/payments/{id}/reauthorize. */
export const reauthorizeRequest = z
  .strictObject({
    amount: requestedMoney.optional().meta({
      description:
        'What shall be held besides what was captured: all that can still be captured when absent, and at most 115 % of the first hold in all (and 75 USD above it).',
    }),
  })
  .meta({ id: 'ReauthorizeRequest' })
  .default({});
export type ReauthorizeRequest = z.output<typeof reauthorizeRequest>;

/** Body of POST /v1/payments/{id}/review/decision. */
export const paymentDecisionRequest = decisionRequest(reviewDecisions, {
  decision:
    'Of a step in doubt: happened, or did_not_happen (it is given up and not repeated). Of a hold of another amount: void, or keep; of a sale: keep.',
  evidence: 'the payment or capture that was made',
}).meta({ id: 'ReviewDecision' });
export type PaymentDecisionRequest = z.output<typeof paymentDecisionRequest>;

export const paymentCursor = idCursor('payment');

/** Query of GET /v1/payments. */
export const paymentListQuery = z.strictObject({
  state: z.enum(paymentStatuses).optional(),
  orderId: text(127).optional(),
  ...pageFields(paymentCursor),
});
export type PaymentListQuery = z.output<typeof paymentListQuery>;
