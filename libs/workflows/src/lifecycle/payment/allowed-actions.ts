import type { Instant } from '../lifecycle.js';
import type { PaymentState } from './payment.js';
import { transition } from './transition.js';

export const paymentActions = ['capture', 'void', 'release', 'reauthorize', 'cancel'] as const;
export type AllowedAction = (typeof paymentActions)[number];

/** What the order service may ask for now; derived from the table, so that it can never disagree with it. */
export function allowedActions(state: PaymentState, now: Instant): AllowedAction[] {
  return paymentActions.filter(
    (action) => transition(state, { type: `${action}Requested`, commandId: '' }, now).kind === 'moved',
  );
}
