import { z } from 'zod';
import { refundStatuses } from '../../../../libs/workflows/src/lifecycle/refund/refund.js';
import { shownMoney } from './wire-money.js';

const instant = z.iso.datetime();

const shownEntry = z.object({
  version: z.int(),
  event: z.string(),
  kind: z.enum(['moved', 'conflict']),
  from: z.enum(refundStatuses),
  to: z.enum(refundStatuses),
  at: instant,
  detail: z.string().nullable(),
});

export const shownRefund = z
  .object({
    id: z.string().meta({
      description: 'The provider’s id of the refund; of a reversal, that of the event which told of it.',
    }),
    kind: z
      .enum(['refund', 'reversal'])
      .meta({ description: 'A reversal is a chargeback by the payer’s bank.' }),
    amount: shownMoney.nullable().meta({
      description: 'As the provider shows it; null until it has, and where it does not tell of how much.',
    }),
    status: z.enum(refundStatuses).meta({ description: 'Money has gone back only where it is `completed`.' }),
    captureId: z.string().nullable().meta({ description: 'The capture that it gives back from.' }),
    saleId: z.string().nullable().meta({ description: 'The sale that it gives back from.' }),
    refundedAt: instant.nullable(),
    reason: z
      .string()
      .nullable()
      .meta({ description: 'Why it stands where it stands, or what contradicts it.' }),
    timeline: z.array(shownEntry),
    temporalUrl: z.string().nullable().meta({ description: 'The refund’s run in Temporal’s UI.' }),
  })
  .meta({ id: 'Refund' });
export type ShownRefund = z.output<typeof shownRefund>;
