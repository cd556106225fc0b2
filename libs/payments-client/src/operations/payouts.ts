import { hasId, post, read } from './operation.js';
import { type ListedPayoutItems, payoutBatch, payoutPage } from '../schemas/payout-batch.js';
import { payoutItem } from '../schemas/payout-item.js';

const PAYOUTS = '/v1/payments/payouts';
const ITEMS = '/v1/payments/payouts-item';

/** Also every item of it. */
const isPageOf = ({ batch, items }: ListedPayoutItems, asked: string) =>
  hasId(batch, asked) && items.every(({ batchId }) => batchId === asked);

export const createPayout = post('payout.create', 'keyed', () => PAYOUTS, payoutBatch);
export const getPayoutBatch = read('payout.get', (id) => `${PAYOUTS}/${id}`, payoutBatch, hasId);
export const getPayoutPage = read('payout.get', (id) => `${PAYOUTS}/${id}`, payoutPage, isPageOf);
export const getPayoutItem = read('payout-item.get', (id) => `${ITEMS}/${id}`, payoutItem, hasId);
export const cancelPayoutItem = post(
  'payout-item.cancel',
  'reconcile',
  (id) => `${ITEMS}/${id}/cancel`,
  payoutItem,
  hasId,
);
