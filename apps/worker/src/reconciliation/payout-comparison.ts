import { findPayoutItems } from '#database/subjects';
import { payoutRecords } from '#database/transitions';
import type { PayoutItemRow } from '#database/schema';
import { payoutRunAfterEnd } from '#runs';
import type { PayoutBatch, PayoutItem } from '#payments-client';
import { type Difference, parseMoney } from '#workflows/lifecycle';
import {
  itemsPerPage,
  type ComparedItem,
  differencesOf,
  itemDifferences,
  type PayoutState,
  isTerminal,
} from '#workflows/lifecycle/payout';
import { shownItem } from '../payouts/payout-facts.js';
import { lookLimit } from '../provider/provider-clients.js';
import type { ComparedKind, ComparisonOf } from './compared-kind.js';

/**
 * Items on later pages are compared only by the run's own reads: one batch must not take all the time of
 * reconciliation.
 */
const mostPages = 4;

export const comparedPayouts: ComparedKind<PayoutState> = {
  records: payoutRecords,
  // A due read will show the differences. After the end, the run that should have read may be gone.
  isComparable: ({ status, openStep, providerBatchId, readAt, nextPage }) =>
    !openStep &&
    providerBatchId !== undefined &&
    (isTerminal(status) || (readAt === undefined && nextPage === undefined)),
  owesRead: ({ readAt, confirmAt }) => readAt !== undefined || confirmAt !== undefined,
  // A reversal has no event. Its read is made once more: the first one may lag, and a known difference is not told again.
  hint: { isOfEndedItem: true },
  runAfterEnd: payoutRunAfterEnd,
  differences: async (comparison) => {
    const { client, state } = comparison;
    const batchId = state.providerBatchId ?? '';
    // The items show nothing until the provider has processed the batch.
    if (state.status === 'processing') {
      return batchDifferences(state, await client.payouts.get(batchId, { signal: lookLimit() }));
    }
    const differences: Difference[] = [];
    for (let page: number | undefined = 1; page !== undefined && page <= mostPages;) {
      const search = { page, pageSize: itemsPerPage };
      const shown = await client.payouts.getPage(batchId, search, { signal: lookLimit() });
      if (page === 1) differences.push(...batchDifferences(state, shown.batch));
      differences.push(...(await differencesInItems(comparison, shown.items)));
      page = shown.nextPage;
    }
    return differences;
  },
};

function batchDifferences(state: PayoutState, { status, amount }: PayoutBatch): Difference[] {
  return differencesOf(state, {
    batchStatus: status,
    ...(amount && { total: parseMoney(amount.value, amount.currency) }),
  });
}

async function differencesInItems(
  { context, subject }: ComparisonOf<PayoutState>,
  items: readonly PayoutItem[],
): Promise<Difference[]> {
  const shown = items.flatMap(shownItem);
  const rows = await findPayoutItems(
    context.db,
    subject.id,
    shown.map(({ itemId }) => itemId),
  );
  const known = new Map(rows.map((row) => [row.item_id, row]));
  return itemDifferences(
    shown.map(({ itemId, status, minor, currency }): ComparedItem => {
      const row: PayoutItemRow | undefined = known.get(itemId);
      const theirs = { status, minor, currency };
      return row ? { itemId, ours: row, theirs } : { itemId, theirs };
    }),
  );
}
