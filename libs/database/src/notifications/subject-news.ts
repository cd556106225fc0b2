import type { LifecycleState, TimelineEntry } from '#workflows/lifecycle';
import type { PaymentState, PaymentStatus } from '#workflows/lifecycle/payment';
import type { ItemStatus, PayoutState, PayoutStatus } from '#workflows/lifecycle/payout';
import type { RefundState } from '#workflows/lifecycle/refund';
import type { OpenStep } from '#workflows/lifecycle/step';
import {
  type SubscriptionPaymentStatus,
  type SubscriptionState,
  type SubscriptionStatus,
  collectedStatuses,
} from '#workflows/lifecycle/subscription';
import type { CommandKind, CommandRow } from '../schema/schema.js';
import type { News, NotificationType } from './notification-types.js';

/**
 * The notifications that the lines of a write cause, one table for each kind of subject.
 *
 * Only what stays true has a notification (docs/decisions/0027): an end, and a part's final result, stay once their row is
 * committed; the other facts are things that the provider or the clock has shown. A lost workflow task is done again and
 * may show the same under another version, so a fact is named by what it is about: an authorization, an amount, a step.
 * There is one notification of it.
 */

/** Statuses that have one notification, whenever they are reached. */
const paymentStatusNews: Partial<Record<PaymentStatus, NotificationType>> = {
  awaiting_approval: 'payment.awaiting_approval',
  pending: 'payment.pending',
  captured: 'payment.captured',
  voided: 'payment.voided',
  completed: 'payment.completed',
  declined: 'payment.declined',
  cancelled: 'payment.cancelled',
  expired: 'payment.expired',
};

const beforeHold: ReadonlySet<string> = new Set<PaymentStatus>([
  'creating',
  'awaiting_approval',
  'authorizing',
  'needs_review',
]);
const holds: ReadonlySet<string> = new Set<PaymentStatus>(['authorized', 'capturing', 'partially_captured']);

/** A step that was not made, by the status during it. */
const failedSteps: Readonly<Record<string, NotificationType>> = {
  capturing: 'payment.capture_failed',
  voiding: 'payment.void_failed',
  reauthorizing: 'payment.reauthorization_failed',
};
/** The same of a step that was under review, by its command. */
const failedCommands: Partial<Record<CommandKind, NotificationType>> = {
  capture: 'payment.capture_failed',
  void: 'payment.void_failed',
  release: 'payment.void_failed',
  reauthorize: 'payment.reauthorization_failed',
};
const failures: ReadonlySet<string> = new Set([
  'stepDeclined',
  'stepDeferred',
  'stepProvedUndone',
  'stepDecidedUndone',
  'approvalFoundMissing',
  'reauthorizationTooSoon',
]);
const warnings: ReadonlySet<string> = new Set([
  'honourPeriodNearedEnd',
  'honourPeriodEnded',
  'captureWindowNearedEnd',
]);

/** @param commands as the write changes them. */
export function paymentNews(
  state: PaymentState,
  timeline: readonly TimelineEntry[],
  commands: readonly WrittenCommand[] = [],
): News[] {
  const { authorization, captures, reauthorizations, stepsBegun } = state;
  const hold = authorization?.authorizationId;
  // The provider may keep the id of a hold that is reauthorized; its warnings come again.
  const period = `${hold}:${reauthorizations?.earlier.length ?? 0}`;
  return movesIn(timeline).flatMap((line): News[] => {
    const { from, to, event } = line;
    const isNew = from !== to;
    const isHeld = hold !== undefined && holds.has(to);
    const collected = captures.filter(({ status }) => status === 'completed');
    const captured = collected.reduce((sum, { minor }) => sum + minor, 0);
    const failed = failures.has(event) && holds.has(to) ? failedStep(from, commands) : undefined;
    return [
      ...when(isNew, paymentStatusNews[to as PaymentStatus], to),
      ...when(isHeld && beforeHold.has(from), 'payment.authorized', 'authorized'),
      ...when(warnings.has(event), 'payment.hold_expiring', `${event}:${period}`),
      ...when(
        event === 'authorizationRenewed',
        'payment.reauthorized',
        `reauthorized:${reauthorizations?.earlier.length}`,
      ),
      ...when(
        (isNew || event === 'providerObserved') && to === 'partially_captured' && captured > 0,
        'payment.partially_captured',
        `captured:${captured}`,
      ),
      ...when(isNew, failed, `failed:${stepsBegun}`),
      ...captures
        .filter(({ status }) => status === 'denied')
        .flatMap(({ captureId }) => when(true, 'payment.capture_failed', `denied:${captureId}`)),
      ...doubtNews('payment', state, line),
    ].map((news) => ({ ...news, version: line.version }));
  });
}

type WrittenCommand = Pick<CommandRow, 'kind' | 'status'>;

/** @param status of the payment before the step was given up. */
function failedStep(status: string, commands: readonly WrittenCommand[]): NotificationType | undefined {
  const failed = commands.find((command) => command.status === 'failed');
  return failedSteps[status] ?? (failed && failedCommands[failed.kind]);
}

export function refundNews(state: RefundState, timeline: readonly TimelineEntry[]): News[] {
  const isChargeback = state.claim.kind === 'reversal';
  return movesIn(timeline).flatMap((line): News[] => {
    const { from, to } = line;
    const isMade = to === 'pending' || to === 'completed';
    const isNotMade =
      ['failed', 'cancelled', 'declined'].includes(to) || (to === 'unfounded' && from !== 'observed');
    const news = isChargeback
      ? [
          ...when(isMade, 'chargeback.created', 'created'),
          // Its amount may become known after its end, or never.
          ...when(to === 'completed' && state.amount !== undefined, 'chargeback.completed', 'completed'),
        ]
      : [
          ...when(isMade, 'refund.created', 'created'),
          ...when(to === 'pending', 'refund.pending', 'pending'),
          ...when(to === 'completed', 'refund.completed', 'completed'),
          ...when(isNotMade, 'refund.failed', 'failed'),
        ];
    return [...news, ...doubtNews('refund', state, line)].map((each) => ({ ...each, version: line.version }));
  });
}

const subscriptionStatusNews: Partial<Record<SubscriptionStatus, NotificationType>> = {
  awaiting_approval: 'subscription.awaiting_approval',
  cancelled: 'subscription.cancelled',
  expired: 'subscription.expired',
  declined: 'subscription.declined',
  lapsed: 'subscription.lapsed',
};

/** The types of which the latest one says whether the provider bills. */
export const billingTypes: readonly NotificationType[] = [
  'subscription.activated',
  'subscription.suspended',
  'subscription.reactivated',
];

export function subscriptionNews(state: SubscriptionState, timeline: readonly TimelineEntry[]): News[] {
  const lines = movesIn(timeline).flatMap((line): News[] =>
    [
      ...when(line.from !== line.to, subscriptionStatusNews[line.to as SubscriptionStatus], line.to),
      ...doubtNews('subscription', state, line),
    ].map((news) => ({ ...news, version: line.version })),
  );
  return [...lines, ...billingNews(state, timeline)];
}

/**
 * Active and suspended may follow each other any number of times. They are compared with the latest notification and not
 * with the line's statuses: a workflow task that was lost may have notified of a status that the next one does not find.
 */
function billingNews({ status }: SubscriptionState, timeline: readonly TimelineEntry[]): News[] {
  const isFirst = movesIn(timeline).some(({ from, to }) => from !== to) ? ([''] as const) : [];
  const version = timeline.at(-1)?.version;
  const dated = { ...(version !== undefined && { version }) };
  if (status === 'active') {
    return [
      { type: 'subscription.activated', fact: 'activated', after: isFirst, ...dated },
      { type: 'subscription.reactivated', after: ['subscription.suspended'], ...dated },
    ];
  }
  if (status !== 'suspended') return [];
  const after = [...isFirst, 'subscription.activated', 'subscription.reactivated'] as const;
  return [{ type: 'subscription.suspended', after, ...dated }];
}

/**
 * A payment of which money has gone back was collected, also if no earlier read has shown it.
 *
 * @param key names the payment among those of its subscription.
 * @param before the status in its row, if it has one.
 */
export function subscriptionPaymentNews(
  key: string,
  status: SubscriptionPaymentStatus,
  before?: SubscriptionPaymentStatus,
): News[] {
  const isCollected = (each?: SubscriptionPaymentStatus) => collectedStatuses.some((known) => known === each);
  return [
    ...when(isCollected(status) && !isCollected(before), 'subscription.cycle_billed', `billed:${key}`),
    ...when(status === 'failed', 'subscription.payment_failed', `failed:${key}`),
  ];
}

const payoutStatusNews: Partial<Record<PayoutStatus, NotificationType>> = {
  processing: 'payout.processing',
  settling: 'payout.processing',
  completed: 'payout.completed',
  denied: 'payout.denied',
  cancelled: 'payout.cancelled',
  declined: 'payout.declined',
};

export function payoutNews(state: PayoutState, timeline: readonly TimelineEntry[]): News[] {
  return movesIn(timeline).flatMap((line): News[] => {
    const type = payoutStatusNews[line.to as PayoutStatus];
    return [...when(line.from !== line.to, type, type ?? ''), ...doubtNews('payout', state, line)].map(
      (news) => ({ ...news, version: line.version }),
    );
  });
}

/** The notifications of the statuses of a payout's items. */
export const itemNews: Partial<Record<ItemStatus, NotificationType>> = {
  success: 'payout_item.succeeded',
  unclaimed: 'payout_item.unclaimed',
  onhold: 'payout_item.held',
  failed: 'payout_item.failed',
  returned: 'payout_item.returned',
  blocked: 'payout_item.blocked',
  refunded: 'payout_item.refunded',
  reversed: 'payout_item.reversed',
};

type DoubtfulKind = 'payment' | 'refund' | 'subscription' | 'payout';

function doubtNews(
  kind: DoubtfulKind,
  { openStep }: LifecycleState & { readonly openStep?: OpenStep<unknown> },
  { event, from, to, version }: TimelineEntry,
): News[] {
  const isInDoubt = event === 'outcomeUnknown' && openStep?.phase === 'doubt';
  const reviewed = openStep ? `step ${openStep.number}:${openStep.attempts}` : `version ${version}`;
  return [
    ...when(isInDoubt, `${kind}.in_doubt`, `in_doubt:${openStep?.number}:${openStep?.attempts}`),
    ...when(to === 'needs_review' && from !== to, `${kind}.needs_review`, `needs_review:${reviewed}`),
  ];
}

function when(applies: boolean, type: NotificationType | undefined, fact: string): News[] {
  return applies && type !== undefined ? [{ type, fact }] : [];
}

function movesIn(timeline: readonly TimelineEntry[]): readonly TimelineEntry[] {
  return timeline.filter(({ kind }) => kind === 'moved');
}
