import { type Deadline as DeadlineOf, type Instant, earliest } from '../lifecycle.js';
import { stepDeadlines } from '../step/open-step.js';
import { pollWait } from '../widening-wait.js';
import { isBookOwed } from './book.js';
import type { SubscriptionEvent, SubscriptionState } from './subscription.js';

export type Deadline = DeadlineOf<SubscriptionEvent>;

/** The number of polls without news after which the waits stop growing. */
const longestRest = 16;

/** The subscription's next deadline; undefined if nothing will ever be due. */
export function nextDeadline(state: SubscriptionState): Deadline | undefined {
  const { openStep, status } = state;
  if (openStep) return earliest(stepDeadlines(openStep));
  switch (status) {
    case 'awaiting_approval':
      return earliest(approvalDeadlines(state));
    case 'pending':
      return poll(state.lastPollAt + waitOf(state));
    case 'active':
      return earliest([renewal(state), ...afterOwnChange(state), ...owedReads(state)]);
    case 'suspended':
      return earliest([poll(rested(state)), ...afterOwnChange(state), ...owedReads(state)]);
    case 'cancelled':
    case 'expired':
      return earliest(lastReads(state));
    default:
      return undefined;
  }
}

/** An approval without the payer's return is found by trying the execution, with growing waits. */
function approvalDeadlines({ order, approvalPolls, lastPollAt }: SubscriptionState): Deadline[] {
  const wait = pollWait(order.patience, approvalPolls);
  return [{ at: order.approvalBy, event: { type: 'approvalTimedOut' } }, poll(lastPollAt + wait)];
}

/**
 * Each cycle is billed on its date and reported by a webhook. If no webhook comes, a read follows; while the provider
 * is late, it is repeated with growing waits.
 */
function renewal(state: SubscriptionState): Deadline {
  const nextBillingAt = state.billing?.nextBillingAt;
  if (nextBillingAt === undefined) return poll(rested(state));
  return {
    at: Math.max(nextBillingAt, state.lastPollAt) + waitOf(state),
    event: { type: 'renewalCameDue' },
  };
}

/** Our own change is read once reads must show it. */
function afterOwnChange({ readsSettleAt }: SubscriptionState): Deadline[] {
  return readsSettleAt === undefined ? [] : [poll(readsSettleAt)];
}

function owedReads(state: SubscriptionState): Deadline[] {
  const { readOwed, arePaymentsOwed, oldestPendingAt, lastPollAt } = state;
  const isOwed = readOwed || arePaymentsOwed || oldestPendingAt !== undefined;
  return [...(isOwed ? [poll(lastPollAt + waitOf(state))] : []), ...confirmation(state)];
}

/**
 * Reads lag: a confirming read is due when it certainly shows what an event reported, or what was paid just before the
 * end.
 */
function confirmation(state: SubscriptionState): Deadline[] {
  const { confirmAt, lastPollAt } = state;
  if (confirmAt === undefined) return [];
  return [poll(lastPollAt < confirmAt ? confirmAt : lastPollAt + waitOf(state))];
}

/** Reads after the end: at once, when reads no longer lag, and while a payment is pending. */
function lastReads(state: SubscriptionState): Deadline[] {
  const isFirst = state.polls === 0 && isBookOwed(state);
  return isFirst ? [poll(state.lastPollAt)] : owedReads(state);
}

function waitOf({ order, polls }: SubscriptionState): number {
  return pollWait(order.patience, polls);
}

/** No change is expected: changes made elsewhere come as events, and reconciliation finds missed ones. */
function rested({ order, polls, lastPollAt }: SubscriptionState): Instant {
  return lastPollAt + order.patience.firstPollMs * 2 ** Math.min(polls, longestRest);
}

function poll(at: Instant): Deadline {
  return { at, event: { type: 'pollCameDue' } };
}
