import type { TimelineEntry } from '#workflows/lifecycle';
import type { ItemStatus, PayoutState, PayoutStatus } from '#workflows/lifecycle/payout';
import { doubtNews, failures, movesIn, when } from './news-of-lines.js';
import type { News, NotificationType } from './notification-types.js';

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
    const { from, to, event } = line;
    const type = payoutStatusNews[to as PayoutStatus];
    // A cancellation that was put off has an open step.
    const isGivenUp = failures.has(event) && to === 'settling' && !state.openStep;
    return [
      ...when(from !== to, type, type ?? ''),
      ...when(isGivenUp, 'payout.item_cancellation_failed', `cancellation_failed:${state.stepsBegun}`),
      ...doubtNews('payout', state, line),
    ].map((news) => ({ ...news, version: line.version }));
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
