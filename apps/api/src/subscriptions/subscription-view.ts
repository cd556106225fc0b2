import { z } from 'zod';
import type { SubscriptionPaymentRow } from '#database/schema';
import type { SubscriptionView } from '#database/subjects';
import { workflowIdOf, subscriptionSubject } from '#workflows/contract';
import {
  type Billing,
  subscriptionStatuses,
  paymentStatusOf,
  subscriptionPaymentStatuses,
  allowedActions,
} from '#workflows/lifecycle/subscription';
import type { ApiConfig } from '../api-config.js';
import { shownLinks, toAsk, toRead, toReview } from '../wire/links.js';
import { shownPendingOperation, viewPendingOperation } from '../wire/pending-operation.js';
import { runAddress } from '../wire/run-address.js';
import { showMoney, shownMoney } from '../wire/wire-money.js';
import { shownInstant, shownVersion } from '../wire/fields.js';

export const subscriptionAnswer = z
  .object({
    id: z.string().meta({ examples: ['sub_01jz3v8q5k2m4n6p8r0s1t3v5w7x9y1z2a4b'] }),
    planId: z.string(),
    state: z.enum(subscriptionStatuses),
    version: shownVersion,
    approvalUrl: z
      .string()
      .nullable()
      .meta({ description: 'Where to send the payer, while approval is awaited.' }),
    startDate: shownInstant,
    name: z.string(),
    description: z.string(),
    cyclesCompleted: z
      .int()
      .meta({ description: 'Failed ones count: what they left unpaid is outstanding.' }),
    cyclesRemaining: z
      .int()
      .nullable()
      .meta({ description: 'Null where there is no end, or none is known.' }),
    failedPayments: z.int().meta({ description: 'In a row: 0 after a payment.' }),
    outstanding: shownMoney.meta({ description: 'What failed payments have left owed.' }),
    lastPayment: z.object({ at: shownInstant, amount: shownMoney.nullable() }).nullable(),
    nextBillingAt: shownInstant.nullable(),
    approvalBy: shownInstant.nullable().meta({ description: 'The payer’s approval is awaited until here.' }),
    reason: z.string().nullable().meta({ description: 'Why the subscription stands where it stands.' }),
    pendingOperation: shownPendingOperation.nullable(),
    allowedActions: z.array(z.enum(['suspend', 'reactivate', 'cancel'])),
    links: shownLinks,
    temporalUrl: z.string().nullable().meta({ description: 'The subscription’s run in Temporal’s UI.' }),
    createdAt: shownInstant,
    updatedAt: shownInstant,
  })
  .meta({ id: 'Subscription' });
export type SubscriptionAnswer = z.output<typeof subscriptionAnswer>;

export const subscriptionListAnswer = z
  .object({ subscriptions: z.array(subscriptionAnswer), nextCursor: z.string().nullable() })
  .meta({ id: 'SubscriptionList' });
export type SubscriptionListAnswer = z.output<typeof subscriptionListAnswer>;

export const subscriptionPaymentsAnswer = z
  .object({
    payments: z.array(
      z.object({
        id: z.string().meta({
          description: 'The provider’s id of the sale; ours where no money moved. Never another one’s.',
        }),
        at: shownInstant,
        status: z.enum(subscriptionPaymentStatuses).meta({
          description:
            '`reversed`: charged back, as a whole or in part. `unknown`: in no state that we know.',
        }),
        amount: shownMoney.meta({ description: 'As it was collected, whatever went back since.' }),
      }),
    ),
    collected: shownMoney.meta({
      description:
        'Of all payments that were completed, before refunds and chargebacks: what went back of each is told by its status.',
    }),
  })
  .meta({ id: 'SubscriptionPayments' });
export type SubscriptionPaymentsAnswer = z.output<typeof subscriptionPaymentsAnswer>;

export function subscriptionAddress(id: string, { publicUrl }: Pick<ApiConfig, 'publicUrl'>): string {
  return `${publicUrl}/v1/subscriptions/${id}`;
}

/** A subscription as the order service sees it, made of its row alone. */
export function viewSubscription(
  row: SubscriptionView,
  config: Pick<ApiConfig, 'temporal' | 'publicUrl'>,
  now: number,
): SubscriptionAnswer {
  const { order, reason, approvalUrl } = row.state;
  const self = subscriptionAddress(row.id, config);
  const actions = allowedActions(row.state, now);
  // Also while an execution shows whether he has approved: until it is answered, he may still have to.
  const isAwaited = row.status === 'awaiting_approval' || row.status === 'executing';
  return {
    id: row.id,
    planId: row.plan_id,
    state: row.status,
    version: row.shown_version,
    approvalUrl: isAwaited ? (approvalUrl ?? null) : null,
    startDate: iso(order.startAt),
    name: row.name,
    description: row.description,
    ...viewBilling(row),
    approvalBy: isAwaited ? iso(order.approvalBy) : null,
    reason: reason ?? null,
    pendingOperation: viewPendingOperation(row.state),
    allowedActions: actions,
    links: [
      toRead('self', self),
      toRead('payments', `${self}/payments`),
      toRead('timeline', `${self}/timeline`),
      ...toReview(row, self),
      ...(isAwaited && approvalUrl !== undefined ? [toRead('approval', approvalUrl)] : []),
      ...actions.map((action) => toAsk(action, `${self}/${action}`)),
    ],
    temporalUrl: runAddress(workflowIdOf(subscriptionSubject({ ...row, subscriptionId: row.id })), config),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

type ShownBilling = Pick<
  SubscriptionAnswer,
  'cyclesCompleted' | 'cyclesRemaining' | 'failedPayments' | 'outstanding' | 'lastPayment' | 'nextBillingAt'
>;

function viewBilling(row: SubscriptionView): ShownBilling {
  const { order, billing = noneYet } = row.state;
  const isBilled = row.status === 'active' || row.status === 'pending';
  return {
    cyclesCompleted: billing.cyclesCompleted,
    cyclesRemaining: billing.cyclesRemaining ?? null,
    failedPayments: billing.failedPayments,
    outstanding: showMoney(billing.outstandingMinor, order.currency),
    lastPayment: lastPaymentOf(row),
    nextBillingAt: isBilled && billing.nextBillingAt !== undefined ? iso(billing.nextBillingAt) : null,
  };
}

const noneYet: Billing = { cyclesCompleted: 0, outstandingMinor: 0, failedPayments: 0 };

export function viewPayments(
  payments: readonly SubscriptionPaymentRow[],
  collectedMinor: number,
  { id, state }: SubscriptionView,
): SubscriptionPaymentsAnswer {
  return {
    payments: payments.map(({ transaction_id, at, status, minor, currency }) => ({
      // The provider has none of its own for what moved no money; its instant tells it from others.
      id: transaction_id === state.agreementId ? `${id}.${at.getTime()}` : transaction_id,
      at: at.toISOString(),
      status: paymentStatusOf(status),
      amount: showMoney(minor, currency),
    })),
    collected: showMoney(collectedMinor, state.order.currency),
  };
}

function lastPaymentOf({ state }: SubscriptionView): SubscriptionAnswer['lastPayment'] {
  const { lastPaymentAt, lastPaymentMinor } = state.billing ?? {};
  if (lastPaymentAt === undefined) return null;
  const amount = lastPaymentMinor === undefined ? null : showMoney(lastPaymentMinor, state.order.currency);
  return { at: iso(lastPaymentAt), amount };
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
