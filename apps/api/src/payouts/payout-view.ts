import type { PayoutView } from '#database/subjects';
import { workflowIdOf } from '#workflows/contract';
import { itemStatuses } from '#workflows/lifecycle/payout';
import type { ApiConfig } from '../injected/api-config.js';
import type { ItemOfPayout } from '../rows/payout-rows.js';
import { commonActions, toRead, toReview, subjectAddress } from '../wire/links.js';
import { viewPendingOperation } from '../wire/pending-operation.js';
import { runAddress } from '../wire/run-address.js';
import { showMoney } from '../wire/wire-money.js';
import { itemActions } from './item-cancellation.js';
import type { PayoutAnswer, PayoutItemAnswer } from './payout-answers.js';

type ViewConfig = Pick<ApiConfig, 'publicUrl' | 'temporal'>;

/** A payout as the order service sees it, built from its row and its items' rows. */
export function viewPayout(row: PayoutView, config: ViewConfig): PayoutAnswer {
  const { state, totals } = row;
  const { currency } = state.order.total;
  const self = subjectAddress('payout', row.id, config);
  const total = showMoney(state.order.total.minor, currency);
  const cancelled = row.cancelled_minor === null ? null : showMoney(row.cancelled_minor, currency);
  const isCreation = state.openStep?.step.type === 'createPayout';
  return {
    id: row.id,
    reference: row.reference,
    metadata: row.metadata,
    state: row.status,
    version: row.shown_version,
    itemCount: state.order.items,
    amount: total,
    totals: Object.fromEntries(
      itemStatuses.map((status) => {
        const { count, minor } = totals[status] ?? { count: 0, minor: 0 };
        return [status, { count, amount: showMoney(minor, currency) }];
      }),
    ) as PayoutAnswer['totals'],
    providerBatchId: state.providerBatchId ?? null,
    reason: state.reason ?? null,
    pendingOperation: viewPendingOperation(state, isCreation ? total : cancelled),
    allowedActions: commonActions(row),
    contradiction: state.contradiction ?? null,
    links: [
      toRead('self', self),
      toRead('items', `${self}/items`),
      toRead('timeline', `${self}/timeline`),
      ...toReview(row, self),
    ],
    temporalUrl: runAddress(workflowIdOf(row), config),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

export function viewPayoutItem(row: ItemOfPayout, now: number): PayoutItemAnswer {
  return {
    itemId: row.item_id,
    receiver: { type: row.receiver_type, masked: row.receiver_masked },
    amount: showMoney(row.minor, row.currency),
    state: row.status,
    providerItemId: row.provider_item_id,
    transactionId: row.transaction_id,
    errorCode: row.error_code,
    allowedActions: itemActions(row, row.payout, now),
    updatedAt: row.updated_at.toISOString(),
  };
}
