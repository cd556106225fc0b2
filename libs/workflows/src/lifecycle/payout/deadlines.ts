import { type Deadline, type Instant, earliest } from '../lifecycle.js';
import { stepDeadlines } from '../step/open-step.js';
import { pollWait } from '../widening-wait.js';
import { askAgainUntil } from './creation.js';
import { type PayoutEvent, type PayoutState, isTerminal } from './payout.js';

/** Items that one call shows: see the client's pages. */
export const itemsPerPage = 250;

/** The next instant at which the clock itself moves this payout; undefined when nothing is due, ever. */
export function nextDeadline(state: PayoutState): Deadline<PayoutEvent> | undefined {
  return earliest([...(isAskedFor(state) ? stepDeadlines(state.openStep) : []), ...readDeadlines(state)]);
}

/**
 * When a read that an event asks for is made. Thousands of items tell of themselves within a minute, and each read shows
 * them all: so it waits the longer, the more calls it takes, and what is told meanwhile shares it.
 */
export function soon({ order }: PayoutState, now: Instant): Instant {
  return now + order.patience.firstLookMs * Math.ceil(order.items / itemsPerPage);
}

/** Once its time is over, a creation under review is asked for no more. */
function isAskedFor(state: PayoutState): boolean {
  const { openStep, status } = state;
  if (status !== 'needs_review' || openStep?.step.type !== 'createPayout') return true;
  return openStep.nextAt < askAgainUntil(state);
}

/** Polls make up for lost webhooks: each waits twice as long as the one before, up to a stated longest. */
function readDeadlines(state: PayoutState): Deadline<PayoutEvent>[] {
  const { status, order, readAt, confirmAt, polls, lastPollAt, providerBatchId } = state;
  if (providerBatchId === undefined) return [];
  const event = { type: 'pollCameDue' } as const;
  const owed = confirmAt === undefined || status === 'processing' ? [] : [{ at: confirmAt, event }];
  if (isTerminal(status)) return owed;
  const poll = lastPollAt + pollWait(order.patience, polls);
  return [{ at: readAt === undefined ? poll : Math.min(readAt, poll), event }, ...owed];
}
