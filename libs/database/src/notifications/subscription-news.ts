import type { TimelineEntry } from '#workflows/lifecycle';
import {
  type SubscriptionPaymentStatus,
  type SubscriptionState,
  type SubscriptionStatus,
  collectedStatuses,
} from '#workflows/lifecycle/subscription';
import type { CommandKind } from '../schema/schema.js';
import { type WrittenCommand, doubtNews, failedStep, failures, movesIn, when } from './news-of-lines.js';
import type { News, NotificationType } from './notification-types.js';

const subscriptionStatusNews: Partial<Record<SubscriptionStatus, NotificationType>> = {
  awaiting_approval: 'subscription.awaiting_approval',
  cancelled: 'subscription.cancelled',
  expired: 'subscription.expired',
  declined: 'subscription.declined',
  lapsed: 'subscription.lapsed',
};

/** A change that was made and shows in no status, by its event. */
const madeChanges: Readonly<Record<string, NotificationType>> = {
  balanceBilled: 'subscription.balance_billed',
  balanceSet: 'subscription.balance_set',
};

/** A change that was not made, by the status during it. */
const failedChanges: Readonly<Record<string, NotificationType>> = {
  suspending: 'subscription.suspension_failed',
  reactivating: 'subscription.reactivation_failed',
  cancelling: 'subscription.cancellation_failed',
  billing_balance: 'subscription.balance_billing_failed',
  setting_balance: 'subscription.balance_setting_failed',
};
/** The same of a change that was under review, by its command. */
const failedCommands: Partial<Record<CommandKind, NotificationType>> = {
  suspend: 'subscription.suspension_failed',
  reactivate: 'subscription.reactivation_failed',
  cancel: 'subscription.cancellation_failed',
  billBalance: 'subscription.balance_billing_failed',
  setBalance: 'subscription.balance_setting_failed',
};

/** The types of which the latest one says whether the provider bills. */
export const billingTypes: readonly NotificationType[] = [
  'subscription.activated',
  'subscription.suspended',
  'subscription.reactivated',
];

/** @param commands as the write changes them. */
export function subscriptionNews(
  state: SubscriptionState,
  timeline: readonly TimelineEntry[],
  commands: readonly WrittenCommand[] = [],
): News[] {
  const lines = movesIn(timeline).flatMap((line): News[] => {
    const { from, to, event } = line;
    const isNew = from !== to;
    const isGivenUp = isNew && failures.has(event) && (to === 'active' || to === 'suspended');
    const failed = isGivenUp ? failedStep(from, commands, failedChanges, failedCommands) : undefined;
    return [
      ...when(isNew, subscriptionStatusNews[to as SubscriptionStatus], to),
      ...when(isNew, madeChanges[event], `${event}:${state.stepsBegun}`),
      ...when(isGivenUp, failed, `change_failed:${state.stepsBegun}`),
      ...doubtNews('subscription', state, line),
    ].map((news) => ({ ...news, version: line.version }));
  });
  return [...lines, ...billingNews(state, timeline)];
}

/**
 * Active and suspended may follow each other any number of times. They are compared with the latest notification and not
 * with the line's statuses: a workflow task that was lost may have notified of a status that the next one does not find.
 * Without a notification there were no receivers before: they are told what the lines show, and not what stays as it was
 * when a step is over.
 */
function billingNews({ status }: SubscriptionState, timeline: readonly TimelineEntry[]): News[] {
  const lines = movesIn(timeline).filter(({ from, to }) => from !== to);
  const firstIf = (isShown: (line: TimelineEntry) => boolean) => (lines.some(isShown) ? ([''] as const) : []);
  const version = timeline.at(-1)?.version;
  const dated = { ...(version !== undefined && { version }) };
  if (status === 'active') {
    const after = ['subscription.suspended', ...firstIf(isReactivation)] as const;
    return [
      { type: 'subscription.activated', fact: 'activated', after: firstIf(isBegin), ...dated },
      { type: 'subscription.reactivated', after, ...dated },
    ];
  }
  if (status !== 'suspended') return [];
  const after = [...firstIf(isSuspension), 'subscription.activated', 'subscription.reactivated'] as const;
  return [{ type: 'subscription.suspended', after, ...dated }];
}

const beforeLife: ReadonlySet<string> = new Set<SubscriptionStatus>([
  'creating',
  'awaiting_approval',
  'executing',
  'pending',
]);

function isBegin({ from, event }: TimelineEntry): boolean {
  return beforeLife.has(from) || event === 'agreementExecuted';
}

function isReactivation({ from, to, event }: TimelineEntry): boolean {
  return to === 'active' && (from === 'suspended' || event === 'agreementReactivated');
}

function isSuspension({ to, event }: TimelineEntry): boolean {
  return to === 'suspended' && suspensions.has(event);
}

const suspensions: ReadonlySet<string> = new Set([
  'agreementSuspended',
  'agreementObserved',
  'agreementExecuted',
]);

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
  return [
    ...when(isCollected(status) && !isCollected(before), 'subscription.cycle_billed', `billed:${key}`),
    ...when(status === 'failed', 'subscription.payment_failed', `failed:${key}`),
  ];
}

function isCollected(status: SubscriptionPaymentStatus | undefined): boolean {
  return collectedStatuses.some((each) => each === status);
}
