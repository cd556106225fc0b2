import { type Deadline as DeadlineOf, type Instant, earliest } from '../lifecycle.js';
import { stepDeadlines } from '../step/open-step.js';
import { pollWait } from '../widening-wait.js';
import { isBookOwed } from './book.js';
import type { SubscriptionEvent, SubscriptionState } from './subscription.js';

export type Deadline = DeadlineOf<SubscriptionEvent>;

/** After so many vain polls of what nothing is expected of, the next ones wait no longer still. */
const longestRest = 16;

/** The next instant at which the clock itself moves this subscription; undefined when nothing is due, ever. */
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

/** A payer who approves and never comes back is found by trying, with widening waits. */
function approvalDeadlines({ order, approvalPolls, lastPollAt }: SubscriptionState): Deadline[] {
  const wait = pollWait(order.patience, approvalPolls);
  return [{ at: order.approvalBy, event: { type: 'approvalTimedOut' } }, poll(lastPollAt + wait)];
}

/**
 * Each cycle is billed on its date, and told by a webhook. The read that follows when none has come makes up for a lost
 * one; while the provider is late, it is repeated with widening waits.
 */
function renewal(state: SubscriptionState): Deadline {
  const nextBillingAt = state.billing?.nextBillingAt;
  if (nextBillingAt === undefined) return poll(rested(state));
  return {
    at: Math.max(nextBillingAt, state.lastPollAt) + waitOf(state),
    event: { type: 'renewalCameDue' },
  };
}

/** What our own change has come to is read once it must show. */
function afterOwnChange({ readsSettleAt }: SubscriptionState): Deadline[] {
  return readsSettleAt === undefined ? [] : [poll(readsSettleAt)];
}

function owedReads(state: SubscriptionState): Deadline[] {
  const { readOwed, arePaymentsOwed, oldestPendingAt, lastPollAt } = state;
  const isOwed = readOwed || arePaymentsOwed || oldestPendingAt !== undefined;
  return [...(isOwed ? [poll(lastPollAt + waitOf(state))] : []), ...confirmation(state)];
}

/** Reads lag: what an event told, and what was booked right before the end, certainly shows from an instant on. */
function confirmation(state: SubscriptionState): Deadline[] {
  const { confirmAt, lastPollAt } = state;
  if (confirmAt === undefined) return [];
  return [poll(lastPollAt < confirmAt ? confirmAt : lastPollAt + waitOf(state))];
}

/** After the end: at once, once reads no longer lag, and for as long as a payment is on its way. */
function lastReads(state: SubscriptionState): Deadline[] {
  const isFirst = state.polls === 0 && isBookOwed(state);
  return isFirst ? [poll(state.lastPollAt)] : owedReads(state);
}

function waitOf({ order, polls }: SubscriptionState): number {
  return pollWait(order.patience, polls);
}

/** Nothing is expected to happen by itself: what is done elsewhere is told by events, lost ones found by their search. */
function rested({ order, polls, lastPollAt }: SubscriptionState): Instant {
  return lastPollAt + order.patience.firstPollMs * 2 ** Math.min(polls, longestRest);
}

function poll(at: Instant): Deadline {
  return { at, event: { type: 'pollCameDue' } };
}
