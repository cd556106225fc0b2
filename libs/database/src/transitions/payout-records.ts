import { isAlreadyKnown, type PayoutState, isTerminal, payoutStatuses } from '#workflows/lifecycle/payout';
import { payoutNews } from '../notifications/payout-news.js';
import type { SubjectRecords } from './transition.js';

export const payoutRecords: SubjectRecords<PayoutState> = {
  table: 'payouts',
  ends: payoutStatuses.filter(isTerminal),
  // An event of an item names its batch as well, so the thousands of items need no entries of their own.
  resourcesOf: ({ providerBatchId }) =>
    providerBatchId === undefined ? [] : [{ id: providerBatchId, kind: 'payout' }],
  isAlreadyKnown,
  newsOf: payoutNews,
  fulfilledBy: () => [],
  columns: ['sealed_letters'],
  columnsOf: (state) => (needsLetters(state) ? {} : { sealed_letters: null }),
};

/** Until the provider has the batch, it may be sent again to the same receivers. */
function needsLetters({ providerBatchId, status }: PayoutState): boolean {
  return providerBatchId === undefined && !isTerminal(status);
}
