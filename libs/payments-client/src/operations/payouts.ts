import { post, read } from './operation.js';
import { payoutBatch, payoutPage } from '../schemas/payout-batch.js';
import { payoutItem } from '../schemas/payout-item.js';

const PAYOUTS = '/v1/payments/payouts';
const ITEMS = '/v1/payments/payouts-item';

export const createPayout = post('payout.create', 'keyed', () => PAYOUTS, payoutBatch);
export const getPayoutBatch = read('payout.get', (id) => `${PAYOUTS}/${id}`, payoutBatch);
export const getPayoutPage = read('payout.get', (id) => `${PAYOUTS}/${id}`, payoutPage);
export const getPayoutItem = read('payout-item.get', (id) => `${ITEMS}/${id}`, payoutItem);
export const cancelPayoutItem = post(
  'payout-item.cancel',
  'reconcile',
  (id) => `${ITEMS}/${id}/cancel`,
  payoutItem,
);
