import { z } from 'zod';
import { refundStatuses } from '#workflows/lifecycle/refund';
import { commandStatus } from '../commands/command-reply.js';
import { stepReviewShape } from '../reviews/evidence-answers.js';
import { shownLinks } from '../wire/links.js';
import { shownPendingOperation } from '../wire/pending-operation.js';
import { shownMoney } from '../wire/wire-money.js';
import { shownInstant, shownVersion } from '../wire/fields.js';
import { storyLine } from '../wire/timeline.js';

export const shownRefund = z
  .object({
    id: z.string().meta({ examples: ['re_01jz3v8q5k2m4n6p8r0s1t3v5w7x9y1z2a4b'] }),
    paymentId: z.string(),
    version: shownVersion,
    kind: z
      .enum(['refund', 'reversal'])
      .meta({ description: 'A reversal is a chargeback by the payer’s bank.' }),
    origin: z
      .enum(['order_service', 'elsewhere'])
      .meta({ description: 'Elsewhere: made without our asking, for example at the provider’s dashboard.' }),
    providerRefundId: z
      .string()
      .nullable()
      .meta({ description: 'Null until the provider has answered, and always of a reversal.' }),
    amount: shownMoney.nullable().meta({
      description:
        'Of one made elsewhere as the provider shows it; null until it has, which for a chargeback of a part may be after its end.',
    }),
    status: z.enum(refundStatuses).meta({ description: 'Money has gone back only where it is `completed`.' }),
    captureId: z.string().nullable().meta({ description: 'The capture that it gives back from.' }),
    saleId: z.string().nullable().meta({ description: 'The sale that it gives back from.' }),
    refundedAt: shownInstant.nullable(),
    reason: z
      .string()
      .nullable()
      .meta({ description: 'Why it stands where it stands, or what contradicts it.' }),
    pendingOperation: shownPendingOperation.nullable(),
    timeline: z.array(storyLine),
    links: shownLinks,
    temporalUrl: z.string().nullable().meta({ description: 'The refund’s run in Temporal’s UI.' }),
  })
  .meta({ id: 'Refund' });
export type ShownRefund = z.output<typeof shownRefund>;

export const paymentRefundsAnswer = z
  .object({ refunds: z.array(shownRefund) })
  .meta({ id: 'PaymentRefunds' });
export type PaymentRefundsAnswer = z.output<typeof paymentRefundsAnswer>;

export const refundListAnswer = z
  .object({ refunds: z.array(shownRefund), nextCursor: z.string().nullable() })
  .meta({ id: 'RefundList' });
export type RefundListAnswer = z.output<typeof refundListAnswer>;

export const refundReviewAnswer = z
  .object({
    refundId: z.string(),
    status: z.enum(refundStatuses),
    ...stepReviewShape,
  })
  .meta({ id: 'RefundReview' });
export type RefundReviewAnswer = z.output<typeof refundReviewAnswer>;

export const refundDecisionAnswer = z
  .object({
    id: z.string().meta({ description: 'Id of the decision.' }),
    status: commandStatus,
    refund: shownRefund,
  })
  .meta({ id: 'RefundDecisionResult' });
export type RefundDecisionAnswer = z.output<typeof refundDecisionAnswer>;
