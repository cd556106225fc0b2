import { z } from 'zod';
import type { SubscriptionPaymentRow } from '#database/schema';
import type { SubscriptionView } from '#database/subjects';
import { workflowIdOf, subscriptionSubject } from '#workflows/contract';
import {
  type AllowedAction,
  type Billing,
  type SubscriptionState,
  subscriptionStatuses,
  paymentStatusOf,
  subscriptionPaymentStatuses,
  allowedActions,
} from '#workflows/lifecycle/subscription';
import type { ApiConfig } from '../injected/api-config.js';
import type { SubscriptionPayments } from '../rows/subscription-rows.js';
import {
  commonActions,
  shownActions,
  shownLinks,
  toAsk,
  toRead,
  toReview,
  subjectAddress,
} from '../wire/links.js';
import { shownMetadata } from '../wire/metadata.js';
import { instantCursor, nextCursor } from '../wire/pages.js';
import { shownPendingOperation, viewPendingOperation } from '../wire/pending-operation.js';
import { runAddress } from '../wire/run-address.js';
import { subscriptionPaymentStates, subscriptionStates } from '../wire/state-words.js';
import { shownState } from '../wire/states.js';
import { showMoney, shownMoney } from '../wire/wire-money.js';
import { approvalByWords, shownInstant, shownVersion, iso } from '../wire/fields.js';

export const subscriptionAnswer = z
  .object({
    id: z.string().meta({ examples: ['sub_01jz3v8q5k2m4n6p8r0s1t3v5w7x9y1z2a4b'] }),
    planId: z.string(),
    state: shownState(subscriptionStatuses, subscriptionStates),
    version: shownVersion,
    approvalUrl: z
      .string()
      .nullable()
      .meta({ description: 'Where to redirect the payer while approval is awaited.' }),
    startDate: shownInstant,
    name: z.string(),
    description: z.string(),
    metadata: shownMetadata,
    cyclesCompleted: z
      .int()
      .meta({ description: 'Failed cycles count too; their unpaid amount is outstanding.' }),
    cyclesRemaining: z.int().nullable().meta({ description: 'Null if there is no end or it is unknown.' }),
    failedPayments: z.int().meta({ description: 'Consecutive failed payments; 0 after a successful one.' }),
    outstanding: shownMoney.meta({ description: 'The unpaid amount of failed payments.' }),
    lastPayment: z.object({ at: shownInstant, amount: shownMoney.nullable() }).nullable(),
    nextBillingAt: shownInstant.nullable(),
    approvalBy: shownInstant.nullable().meta({ description: approvalByWords }),
    reason: z.string().nullable().meta({ description: 'Why the subscription is in its state.' }),
    pendingOperation: shownPendingOperation.nullable(),
    allowedActions: shownActions(['suspend', 'reactivate', 'cancel', 'billBalance', 'setBalance']),
    links: shownLinks,
    temporalUrl: z.string().nullable().meta({ description: 'The subscription’s run in Temporal’s UI.' }),
    createdAt: shownInstant,
    updatedAt: shownInstant,
  })
  .meta({ id: 'Subscription' });
export type SubscriptionAnswer = z.output<typeof subscriptionAnswer>;

export const subscriptionPaymentsAnswer = z
  .object({
    data: z.array(
      z.object({
        id: z.string().meta({
          description: 'The provider’s id of the sale; an id of ours if no money moved. It is unique.',
        }),
        at: shownInstant,
        state: shownState(subscriptionPaymentStatuses, subscriptionPaymentStates),
        amount: shownMoney.meta({ description: 'The collected amount, before refunds and chargebacks.' }),
      }),
    ),
    nextCursor: z.string().nullable(),
    collected: shownMoney.meta({
      description:
        'The sum of all completed payments, also of those on other pages, before refunds and chargebacks; these show in the state of each payment. Payments and sum are of the same instant.',
    }),
  })
  .meta({ id: 'SubscriptionPayments' });
export type SubscriptionPaymentsAnswer = z.output<typeof subscriptionPaymentsAnswer>;

/** A subscription as the order service sees it, built from its row only. */
export function viewSubscription(
  row: SubscriptionView,
  config: Pick<ApiConfig, 'temporal' | 'publicUrl'>,
  now: number,
): SubscriptionAnswer {
  const { order, reason, approvalUrl } = row.state;
  const self = subjectAddress('subscription', row.id, config);
  const actions = allowedActions(row.state, now);
  // Also during an execution: until it is answered, the payer may still have to approve.
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
    metadata: row.metadata,
    ...viewBilling(row),
    approvalBy: isAwaited ? iso(order.approvalBy) : null,
    reason: reason ?? null,
    pendingOperation: viewPendingOperation(row.state, amountOfStep(row.state)),
    allowedActions: [...actions, ...commonActions(row)],
    links: [
      toRead('self', self),
      toRead('payments', `${self}/payments`),
      toRead('timeline', `${self}/timeline`),
      ...toReview(row, self),
      ...(isAwaited && approvalUrl !== undefined ? [toRead('approval', approvalUrl)] : []),
      ...actions.map((action) => toAsk(action, `${self}/${paths[action] ?? action}`)),
    ],
    temporalUrl: runAddress(workflowIdOf(subscriptionSubject({ ...row, subscriptionId: row.id })), config),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

const paths: Readonly<Partial<Record<AllowedAction, string>>> = {
  billBalance: 'bill-balance',
  setBalance: 'set-balance',
};

/** What the call that is under way collects. */
export function amountOfStep({ openStep, order }: SubscriptionState) {
  const step = openStep?.step;
  return step?.type === 'billBalance' ? showMoney(step.minor, order.currency) : null;
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

export function viewPayments({
  row,
  payments: page,
  collected,
}: SubscriptionPayments): SubscriptionPaymentsAnswer {
  return {
    data: page.rows.map((payment) => ({
      id: paymentIdOf(row, payment),
      at: payment.at.toISOString(),
      state: paymentStatusOf(payment.status),
      amount: showMoney(payment.minor, payment.currency),
    })),
    nextCursor: nextCursor(page, instantCursor, ({ at }) => at),
    collected: showMoney(collected, row.state.order.currency),
  };
}

/**
 * The provider gives no transaction id if no money moved; the instant makes the id unique, with the number of the
 * payment among those of one instant.
 */
function paymentIdOf(
  { id, state: { agreementId = '' } }: SubscriptionView,
  { transaction_id: transactionId, at }: SubscriptionPaymentRow,
): string {
  if (!`${transactionId}.`.startsWith(`${agreementId}.`)) return transactionId;
  return `${id}.${at.getTime()}${transactionId.slice(agreementId.length)}`;
}

function lastPaymentOf({ state }: SubscriptionView): SubscriptionAnswer['lastPayment'] {
  const { lastPaymentAt, lastPaymentMinor } = state.billing ?? {};
  if (lastPaymentAt === undefined) return null;
  const amount = lastPaymentMinor === undefined ? null : showMoney(lastPaymentMinor, state.order.currency);
  return { at: iso(lastPaymentAt), amount };
}
