import type { PaymentEvent } from '#workflows/lifecycle/payment';
import { type ProviderTime, spanAtProvider } from './clock-skew.js';
import { UnreadableAnswerError } from './provider-facts.js';

/**
 * Whether an answer that is the first to show a hold would end it, or let the policies act on it, at once: it has ended,
 * or its dates are not those of a hold that was asked for since. One answer may be wrong: another one must be equal.
 */
export function isDoubtful(time: ProviderTime, since: Date, event: unknown): boolean {
  const granted = grantIn(event);
  if (!granted) return false;
  const { ended, authorization } = granted;
  const { from, to } = spanAtProvider(time, { since, until: new Date() });
  const { createdAt, validUntil } = authorization;
  return ended !== undefined || createdAt < from || createdAt > to || validUntil <= Date.now();
}

/** @throws {UnreadableAnswerError} if the event would be `isDoubtful`: then it is looked up. */
export function requireUndoubted(time: ProviderTime, since: Date, event: PaymentEvent): PaymentEvent {
  if (isDoubtful(time, since, event)) throw new UnreadableAnswerError();
  return event;
}

function grantIn(event: unknown): Extract<PaymentEvent, { type: 'authorizationGranted' }> | undefined {
  const shown = event as PaymentEvent | string;
  return typeof shown === 'object' && shown.type === 'authorizationGranted' ? shown : undefined;
}
