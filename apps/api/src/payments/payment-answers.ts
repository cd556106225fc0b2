import { z } from 'zod';
import { paymentIntents, paymentStatuses, paymentActions } from '#workflows/lifecycle/payment';
import { shownDetails } from './amount-details.js';
import { shownRefund } from '../refunds/refund-answers.js';
import { shownDrift } from '../reconciliation/reconciliation-answers.js';
import { commandStatus } from '../commands/command-reply.js';
import { shownActions, shownLinks } from '../wire/links.js';
import { shownMetadata } from '../wire/metadata.js';
import { listAnswer } from '../wire/pages.js';
import { shownPendingOperation } from '../wire/pending-operation.js';
import { fundsStates, paymentStates } from '../wire/state-words.js';
import { shownState } from '../wire/states.js';
import { shownMoney } from '../wire/wire-money.js';
import { approvalByWords, shownInstant, shownVersion } from '../wire/fields.js';

/** The API's answers: one schema for types, tests and the OpenAPI document. */

const fundsStatuses = ['pending', 'completed', 'denied'] as const;

export const shownCapture = z
  .object({
    id: z.string().meta({ description: 'The provider’s id of the capture.' }),
    amount: shownMoney,
    state: shownState(fundsStatuses, fundsStates),
    final: z.boolean(),
  })
  .meta({ id: 'Capture' });

const shownSale = z
  .object({
    id: z.string().meta({ description: 'The provider’s id of the sale.' }),
    amount: shownMoney,
    state: shownState(fundsStatuses, fundsStates),
  })
  .meta({ id: 'Sale' });

export const paymentAnswer = z
  .object({
    id: z.string().meta({ examples: ['pay_01jz3v8q5k2m4n6p8r0s1t3v5w7x9y1z2a4b'] }),
    orderId: z.string(),
    metadata: shownMetadata,
    intent: z.enum(paymentIntents),
    state: shownState(paymentStatuses, paymentStates),
    version: shownVersion,
    approvalUrl: z
      .string()
      .nullable()
      .meta({ description: 'Where to redirect the payer while approval is awaited.' }),
    amount: shownMoney,
    amountDetails: shownDetails
      .nullable()
      .meta({ description: 'The parts of the amount; null if the order gave none.' }),
    amounts: z.object({
      authorized: shownMoney.meta({ description: 'The amount held for the order.' }),
      captured: shownMoney.meta({ description: 'Captured, or taken by a sale, and arrived.' }),
      pending: shownMoney.meta({
        description: 'Captured, or taken by a sale, and still pending at the provider.',
      }),
      capturable: shownMoney.meta({ description: 'What can still be captured.' }),
      released: shownMoney.meta({ description: 'The held amount that was released to the payer.' }),
      refunded: shownMoney.meta({
        description: 'The captured amount that refunds have given back to the payer.',
      }),
      refundable: shownMoney.nullable().meta({
        description:
          'What can still be refunded of all captures, or of the sale; null while the amount of a known refund or chargeback is unknown.',
      }),
      reversed: shownMoney.nullable().meta({
        description:
          'What the payer’s bank has taken back; null while the amount is unknown (not read yet, or not shown by the provider).',
      }),
    }),
    captures: z.array(shownCapture),
    sale: shownSale
      .nullable()
      .meta({ description: 'Null until the provider has answered, and always for intent `authorize`.' }),
    refunds: z.array(shownRefund),
    deadlines: z
      .object({
        approvalBy: shownInstant.nullable().meta({ description: approvalByWords }),
        capturesAt: shownInstant
          .nullable()
          .meta({ description: 'When a policy captures; the earlier instant if two policies do.' }),
        honourUntil: shownInstant
          .nullable()
          .meta({ description: 'The funds are guaranteed until this instant.' }),
        reauthorizesAt: shownInstant
          .nullable()
          .meta({ description: 'When the honour policy reauthorizes the funds.' }),
        settlesAt: shownInstant.nullable().meta({ description: 'When the expiry policy acts.' }),
        captureUntil: shownInstant
          .nullable()
          .meta({ description: 'A capture can be tried until this instant.' }),
      })
      .meta({
        description:
          'Each is null while nothing is due: not yet, or no longer because the payment or its hold has ended.',
      }),
    warning: z.enum(['honour_period_ending', 'honour_period_ended', 'capture_window_ending']).nullable(),
    reason: z.string().nullable().meta({ description: 'Why the payment is in its state.' }),
    pendingOperation: shownPendingOperation.nullable(),
    capturePolicy: z
      .object({ mode: z.enum(['manual', 'automatic', 'at']), at: shownInstant.optional() })
      .nullable()
      .meta({ description: 'Null for a sale, which holds no funds.' }),
    honourPolicy: z
      .object({
        action: z.enum(['warn', 'capture', 'none']),
        reauthorize: z.enum(['none', 'once', 'as_allowed']),
      })
      .nullable()
      .meta({ description: 'Null for a sale.' }),
    expiryPolicy: z
      .object({ action: z.enum(['void', 'capture', 'expire']) })
      .nullable()
      .meta({ description: 'Null for a sale.' }),
    authorizations: z.array(z.string()).meta({
      description:
        'The provider’s ids of the authorization, the current one last; a reauthorization can add an id.',
    }),
    allowedActions: shownActions([...paymentActions, 'refund']),
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
      .meta({ description: 'Differences from the provider’s records, open and resolved.' }),
  })
  .meta({ id: 'PaymentDetails' });

export const captureListAnswer = listAnswer(shownCapture, 'CaptureList');
export type CaptureListAnswer = z.output<typeof captureListAnswer>;
export type ShownCapture = z.output<typeof shownCapture>;

export const captureAnswer = z
  .object({
    id: z.string().meta({ description: 'Id of the capture request.' }),
    state: commandStatus,
    capture: shownCapture.nullable().meta({ description: 'Null until the provider has answered.' }),
    payment: paymentAnswer,
  })
  .meta({ id: 'CaptureResult' });
export type CaptureAnswer = z.output<typeof captureAnswer>;
