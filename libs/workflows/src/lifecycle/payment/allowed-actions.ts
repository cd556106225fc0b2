import type { Instant } from '../lifecycle.js';
import type { PaymentState } from './payment.js';
import { transition } from './transition.js';

export const paymentActions = ['capture', 'void', 'release', 'reauthorize', 'cancel'] as const;
export type AllowedAction = (typeof paymentActions)[number];

/** The commands that are allowed now. They are derived from the transition table, so that both always agree. */
export function allowedActions(state: PaymentState, now: Instant): AllowedAction[] {
  return paymentActions.filter(
    (action) => transition(state, { type: `${action}Requested`, commandId: '' }, now).kind === 'moved',
  );
}
