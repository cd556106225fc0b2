import { expect, it } from 'vitest';
import { viewPayments } from '#api/subscriptions/subscription-view.js';
import type { SubscriptionView } from '#database/subjects';
import { subscription } from '../lifecycle/subscription/sample-subscriptions.js';

it('payments of one instant without a sale have ids of their own', () => {
  const at = new Date('2030-01-01T00:00:00Z');
  const ofOne = { subscription_id: 'sub_1', at, status: 'failed', minor: 5_00, currency: 'USD', read_at: at };
  const rows = ['I-1', 'I-1.2', 'I-10', 'SALE.1'].map((id) => ({ ...ofOne, transaction_id: id }));
  const row = { id: 'sub_1', state: subscription('active', { agreementId: 'I-1' }) } as SubscriptionView;
  const shown = viewPayments({ row, payments: { rows, hasMore: false }, collected: 0 });
  expect(shown.data.map(({ id }) => id)).toEqual([
    `sub_1.${at.getTime()}`,
    `sub_1.${at.getTime()}.2`,
    'I-10',
    'SALE.1',
  ]);
});
