import { z } from 'zod';
import { paymentIntents, paymentStatuses, paymentActions } from '#workflows/lifecycle/payment';
import { shownRefund } from '../refunds/refund-answers.js';
import { shownDrift } from '../reconciliation/reconciliation-answers.js';
import { commandStatus } from '../commands/command-reply.js';
import { shownLinks } from '../wire/links.js';
import { shownPendingOperation } from '../wire/pending-operation.js';
import { shownMoney } from '../wire/wire-money.js';
import { shownInstant, shownVersion } from '../wire/fields.js';

/** What the API answers with: one schema each for types, tests and the OpenAPI document. */

const fundsStatus = z.enum(['pending', 'completed', 'denied']);

const shownCapture = z
  .object({
    id: z.string().meta({ description: 'The provider’s id of the capture.' }),
    amount: shownMoney,
    status: fundsStatus,
    final: z.boolean(),
  })
  .meta({ id: 'Capture' });

const shownSale = z
  .object({
    id: z.string().meta({ description: 'The provider’s id of the sale.' }),
    amount: shownMoney,
    status: fundsStatus.meta({ description: 'The money has arrived only where it is `completed`.' }),
  })
  .meta({ id: 'Sale' });

export const paymentAnswer = z
  .object({
    id: z.string().meta({ examples: ['pay_01jz3v8q5k2m4n6p8r0s1t3v5w7x9y1z2a4b'] }),
    orderId: z.string(),
    intent: z.enum(paymentIntents),
    state: z.enum(paymentStatuses),
    version: shownVersion,
    approvalUrl: z
      .string()
      .nullable()
      .meta({ description: 'Where to send the payer, while approval is awaited.' }),
    amount: shownMoney,
    amounts: z.object({
      authorized: shownMoney.meta({ description: 'What was held for the order.' }),
      captured: shownMoney.meta({ description: 'What was captured, or taken by a sale, and has arrived.' }),
      pending: shownMoney.meta({
        description: 'What was captured, or taken by a sale, and is still pending at the provider.',
      }),
      capturable: shownMoney.meta({ description: 'What can still be captured.' }),
      released: shownMoney.meta({ description: 'What was given back to the payer of what was held.' }),
      refunded: shownMoney.meta({
        description: 'What refunds have given back to the payer of what was captured.',
      }),
      refundable: shownMoney.nullable().meta({
        description:
          'What can still be refunded of all captures, or of the sale; null while a refund or chargeback is known and not how much it has taken.',
      }),
      reversed: shownMoney.nullable().meta({
        description:
          'What the payer’s bank has taken back; null while it is not known how much: not read yet, or not told.',
      }),
    }),
    captures: z.array(shownCapture),
    sale: shownSale.nullable().meta({ description: 'Null until the provider has answered, and of a hold.' }),
    refunds: z.array(shownRefund),
    deadlines: z
      .object({
        approvalBy: shownInstant
          .nullable()
          .meta({ description: 'The payer’s approval is awaited until here.' }),
        capturesAt: shownInstant
          .nullable()
          .meta({ description: 'A policy captures here, the earlier of two.' }),
        honourUntil: shownInstant.nullable().meta({ description: 'The funds are guaranteed until here.' }),
        reauthorizesAt: shownInstant
          .nullable()
          .meta({ description: 'The honour policy has the funds reauthorized here.' }),
        settlesAt: shownInstant.nullable().meta({ description: 'The expiry policy acts here.' }),
        captureUntil: shownInstant.nullable().meta({ description: 'A capture can be tried until here.' }),
      })
      .meta({ description: 'Null where nothing is due: not yet, or no more because the payment has ended.' }),
    warning: z.enum(['honour_period_ending', 'honour_period_ended', 'capture_window_ending']).nullable(),
    reason: z.string().nullable().meta({ description: 'Why the payment stands where it stands.' }),
    pendingOperation: shownPendingOperation.nullable(),
    capturePolicy: z
      .object({ mode: z.enum(['manual', 'automatic', 'at']), at: shownInstant.optional() })
      .nullable()
      .meta({ description: 'Null of a sale, which holds nothing.' }),
    honourPolicy: z
      .object({
        action: z.enum(['warn', 'capture', 'none']),
        reauthorize: z.enum(['none', 'once', 'as_allowed']),
      })
      .nullable()
      .meta({ description: 'Null of a sale.' }),
    expiryPolicy: z
      .object({ action: z.enum(['void', 'capture', 'expire']) })
      .nullable()
      .meta({ description: 'Null of a sale.' }),
    authorizations: z.array(z.string()).meta({
      description:
        'The provider’s ids of the hold, the present one last: another one where it was reauthorized.',
    }),
    allowedActions: z.array(z.enum([...paymentActions, 'refund'])),
    links: shownLinks,
    temporalUrl: z.string().nullable().meta({ description: 'The payment’s run in Temporal’s UI.' }),
    createdAt: shownInstant,
    updatedAt: shownInstant,
  })
  .meta({ id: 'Payment' });
export type PaymentAnswer = z.output<typeof paymentAnswer>;

export const paymentDetailsAnswer = paymentAnswer
  .extend({
    drift: z
      .array(shownDrift)
      .meta({ description: 'What the provider’s records have said differently, now and earlier.' }),
  })
  .meta({ id: 'PaymentDetails' });
export type PaymentDetailsAnswer = z.output<typeof paymentDetailsAnswer>;

export const paymentListAnswer = z
  .object({ payments: z.array(paymentAnswer), nextCursor: z.string().nullable() })
  .meta({ id: 'PaymentList' });
export type PaymentListAnswer = z.output<typeof paymentListAnswer>;

export const captureAnswer = z
  .object({
    id: z.string().meta({ description: 'Id of the capture request.' }),
    status: commandStatus,
    capture: shownCapture.nullable().meta({ description: 'Null until the provider has answered.' }),
    payment: paymentAnswer,
  })
  .meta({ id: 'CaptureResult' });
export type CaptureAnswer = z.output<typeof captureAnswer>;
