import { z } from 'zod';
import { refundStatuses } from '#workflows/lifecycle/refund';
import { stepReviewShape } from '../reviews/evidence-answers.js';
import { shownActions, shownLinks } from '../wire/links.js';
import { shownMetadata } from '../wire/metadata.js';
import { listAnswer } from '../wire/pages.js';
import { shownPendingOperation } from '../wire/pending-operation.js';
import { refundStates } from '../wire/state-words.js';
import { shownState } from '../wire/states.js';
import { shownMoney } from '../wire/wire-money.js';
import { shownInstant, shownVersion } from '../wire/fields.js';
import { timelineLine } from '../wire/timeline.js';

export const shownRefund = z
  .object({
    id: z.string().meta({ examples: ['re_01jz3v8q5k2m4n6p8r0s1t3v5w7x9y1z2a4b'] }),
    paymentId: z.string(),
    version: shownVersion,
    kind: z
      .enum(['refund', 'reversal'])
      .meta({ description: 'A reversal is a chargeback by the payer’s bank.' }),
    origin: z.enum(['order_service', 'elsewhere']).meta({
      description: '`elsewhere`: not made by our request, but for example at the provider’s dashboard.',
    }),
    providerRefundId: z
      .string()
      .nullable()
      .meta({ description: 'Null until the provider has answered, and always for a reversal.' }),
    amount: shownMoney.nullable().meta({
      description:
        'For a refund made elsewhere: the amount that the provider shows. Null until it is known. Of a chargeback it is known once all of its capture or sale has gone back, which can be after its end, and only if it is the only one: the provider shows what all have taken.',
    }),
    state: shownState(
      refundStatuses,
      refundStates,
      'Money has gone back only if this is `completed`. A request that was given up can still become `completed`.',
    ),
    description: z.string().nullable().meta({ description: 'For the payer; null if the request has none.' }),
    providerReason: z
      .string()
      .nullable()
      .meta({ description: 'For the provider’s records; null if the request has none.' }),
    metadata: shownMetadata,
    captureId: z.string().nullable().meta({ description: 'The refunded capture.' }),
    saleId: z.string().nullable().meta({ description: 'The refunded sale.' }),
    refundedAt: shownInstant.nullable(),
    reason: z
      .string()
      .nullable()
      .meta({ description: 'Why the refund is in its state, or what contradicts it.' }),
    pendingOperation: shownPendingOperation.nullable(),
    allowedActions: shownActions([]),
    timeline: z.array(timelineLine),
    links: shownLinks,
    temporalUrl: z.string().nullable().meta({ description: 'The refund’s run in Temporal’s UI.' }),
  })
  .meta({ id: 'Refund' });
export type ShownRefund = z.output<typeof shownRefund>;

export const paymentRefundsAnswer = listAnswer(shownRefund, 'PaymentRefunds');
export type PaymentRefundsAnswer = z.output<typeof paymentRefundsAnswer>;

export const refundReviewAnswer = z
  .object({
    refundId: z.string(),
    state: shownState(refundStatuses, refundStates),
    ...stepReviewShape,
  })
  .meta({ id: 'RefundReview' });
