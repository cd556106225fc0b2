import { unlistedRule } from '../unlisted.js';
import type { PaymentEventType } from './event.js';

export const takeUnlisted = unlistedRule('payment', {
  reviewDecided: 'is not under review',
  captureRequested: 'cannot be captured',
  voidRequested: 'cannot be voided',
  releaseRequested: 'has nothing left to be released after a capture',
  reauthorizeRequested: 'cannot be reauthorized',
  cancelRequested: 'cannot be cancelled',
} satisfies Partial<Record<PaymentEventType, string>>);
