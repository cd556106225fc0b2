import { type Deadline, type Instant, earliest } from '../lifecycle.js';
import { stepDeadlines } from '../step/open-step.js';
import { pollWait } from '../widening-wait.js';
import { askAgainUntil } from './creation.js';
import { type PayoutEvent, type PayoutState, isTerminal } from './payout.js';

/** The number of items that one call shows, as in the client's pages. */
export const itemsPerPage = 250;

/** The payout's next deadline; undefined if nothing will ever be due. */
export function nextDeadline(state: PayoutState): Deadline<PayoutEvent> | undefined {
  return earliest([...(isAskedFor(state) ? stepDeadlines(state.openStep) : []), ...readDeadlines(state)]);
}

/**
 * When to make the read for an event. Thousands of items may send events within a minute, and each read shows all
 * items. So the read waits longer the more calls it takes, and later events share it.
 */
export function soon({ order }: PayoutState, now: Instant): Instant {
  return now + order.patience.firstLookMs * Math.ceil(order.items / itemsPerPage);
}

/** After its time a creation under review is no longer repeated. */
function isAskedFor(state: PayoutState): boolean {
  const { openStep, status } = state;
  if (status !== 'needs_review' || openStep?.step.type !== 'createPayout') return true;
  return openStep.nextAt < askAgainUntil(state);
}

/** Polls replace lost webhooks. Each waits twice as long as the one before, up to a maximum. */
function readDeadlines(state: PayoutState): Deadline<PayoutEvent>[] {
  const { status, order, readAt, confirmAt, polls, lastPollAt, providerBatchId } = state;
  if (providerBatchId === undefined) return [];
  const event = { type: 'pollCameDue' } as const;
  const owed = confirmAt === undefined || status === 'processing' ? [] : [{ at: confirmAt, event }];
  if (isTerminal(status)) return owed;
  const poll = lastPollAt + pollWait(order.patience, polls);
  return [{ at: readAt === undefined ? poll : Math.min(readAt, poll), event }, ...owed];
}
