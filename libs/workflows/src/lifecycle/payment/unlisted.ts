import { refuse } from '../lifecycle.js';
import type { PaymentEvent, PaymentEventType, TransitionResult } from './event.js';
import type { PaymentState } from './payment.js';

/** The result of an event that the state does not list: a request is refused, any other event is stale. */
export function takeUnlisted(state: PaymentState, event: PaymentEvent): TransitionResult {
  if (!isRequest(event.type)) return { kind: 'stale', state };
  const words = refusalWords[event.type];
  return refuse(state, 'not_allowed_in_state', `A payment that is ${state.status} ${words}.`);
}

/** How the refusal of a request ends: "A payment that is voided …". */
const refusalWords = {
  reviewDecided: 'is not under review',
  captureRequested: 'cannot be captured',
  voidRequested: 'cannot be voided',
  releaseRequested: 'has nothing left to be released after a capture',
  reauthorizeRequested: 'cannot be reauthorized',
  cancelRequested: 'cannot be cancelled',
} as const satisfies Partial<Record<PaymentEventType, string>>;

function isRequest(type: PaymentEventType): type is keyof typeof refusalWords {
  return Object.hasOwn(refusalWords, type);
}
