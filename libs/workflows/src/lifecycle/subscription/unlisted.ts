import { unlistedRule } from '../unlisted.js';
import type { SubscriptionEventType } from './subscription.js';

export const takeUnlisted = unlistedRule('subscription', {
  suspendRequested: 'does not suspend',
  reactivateRequested: 'does not reactivate',
  cancelRequested: 'does not cancel',
  billBalanceRequested: 'does not have its balance billed',
  setBalanceRequested: 'does not have its balance set',
  reviewDecided: 'is not under review',
} satisfies Partial<Record<SubscriptionEventType, string>>);
