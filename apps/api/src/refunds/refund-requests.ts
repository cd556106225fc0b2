import { z } from 'zod';
import { hasEmail } from '#database/text';
import {
  type RefundRequest as AskedFor,
  type RefundRequestClaim,
  refundStatuses,
} from '#workflows/lifecycle/refund';
import { stepDecisions } from '#workflows/lifecycle/step';
import { decisionExample, decisionRequest } from '../reviews/decision.js';
import { subjectFilters } from '../wire/filters.js';
import { paymentIdPattern } from '../wire/ids.js';
import { metadata } from '../wire/metadata.js';
import { idCursor, pageFields } from '../wire/pages.js';
import { body, resourceId, text } from '../wire/fields.js';
import { amountFilters, requestedMoney, withAmounts } from '../wire/wire-money.js';

/** It is stored as it is sent, so that a repeat of the call cannot differ. */
const storedText = (longest: number) =>
  text(longest).refine((given) => !hasEmail(given), 'must not hold an e-mail address');

/** Body of POST /v1/payments/{id}/refunds. */
export const refundRequest = z
  .strictObject({
    amount: requestedMoney
      .optional()
      .meta({ description: 'Default: everything that can still be refunded.' }),
    captureId: resourceId.optional().meta({ description: 'Required if the payment has several captures.' }),
    saleId: resourceId
      .optional()
      .meta({ description: 'Instead of `captureId`, for a payment with intent `sale`.' }),
    description: storedText(255)
      .optional()
      .meta({
        description: 'What the refund is for; the provider shows it to the payer.',
        examples: ['One of two chairs'],
      }),
    providerReason: storedText(30)
      .optional()
      .meta({ description: 'Why it is made, for the provider’s records.', examples: ['Damaged'] }),
    metadata: metadata.optional(),
  })
  .refine(({ captureId, saleId }) => captureId === undefined || saleId === undefined, {
    path: ['saleId'],
    error: 'must not be given together with captureId',
  })
  .meta({
    ...body('RefundRequest', { amount: { value: '4.00', currency: 'USD' } }),
    not: { required: ['captureId', 'saleId'] },
  })
  .default({});
export type RefundRequest = z.output<typeof refundRequest>;

/** Query of GET /v1/refunds. */
export const refundListQuery = z
  .strictObject({
    ...subjectFilters(refundStatuses),
    paymentId: z
      .string()
      .regex(paymentIdPattern, 'must be the id of a payment')
      .optional()
      .meta({ description: 'Only those of this payment.' }),
    ...amountFilters,
    ...pageFields(idCursor('refund')),
  })
  .transform(withAmounts);

/** Body of POST /v1/refunds/{id}/review/decision. */
export const refundDecisionRequest = decisionRequest(stepDecisions, {
  decision: 'Whether the refund was made. After `did_not_happen` it is given up and not repeated.',
  evidence:
    'the refund that was made; for `did_not_happen`, of an equal refund without a reference that belongs to somebody else (if there are several: of one of them, with `isUnverified`)',
}).meta(body('RefundReviewDecision', decisionExample));
export type RefundDecisionRequest = z.output<typeof refundDecisionRequest>;

/** What is sent with the amount. */
export function textsOf({
  description,
  providerReason,
}: RefundRequest): Pick<RefundRequestClaim, 'description' | 'providerReason'> {
  return {
    ...(description !== undefined && { description }),
    ...(providerReason !== undefined && { providerReason }),
  };
}

export function askedFor({ amount, captureId, saleId }: RefundRequest): AskedFor {
  return {
    ...(amount && { amount }),
    ...(captureId !== undefined && { collected: { kind: 'capture', id: captureId } }),
    ...(saleId !== undefined && { collected: { kind: 'sale', id: saleId } }),
  };
}
