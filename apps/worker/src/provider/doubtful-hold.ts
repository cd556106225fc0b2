import type { PaymentEvent, PaymentState } from '#workflows/lifecycle/payment';
import { type ProviderTime, spanAtProvider } from './clock-skew.js';
import { UnreadableAnswerError } from './provider-facts.js';

/** What is known before the answer. */
interface Known {
  /** The hold on record, if it is reauthorized. */
  readonly authorization?: PaymentState['authorization'] | undefined;
  /** When the hold was asked for. */
  readonly since: Date;
}

/**
 * Whether an answer that is the first to show a hold or its reauthorization would end it, or let the policies act on it, at once:
 * it has ended, or its dates are not those of one that was asked for since. One answer may be wrong: another one must be equal.
 */
export function isDoubtful(time: ProviderTime, { since, authorization }: Known, event: unknown): boolean {
  const shown = event as PaymentEvent | string;
  if (typeof shown !== 'object' || !('authorization' in shown)) return false;
  const { createdAt, validUntil } = shown.authorization;
  const heldAt = 'heldAt' in shown ? shown.heldAt : createdAt;
  const { from, to } = spanAtProvider(time, { since, until: new Date() });
  // A reauthorization never shortens the window. Without an end instant it has not changed.
  const earliestEnd = Math.max(Date.now() + 1, authorization?.validUntil ?? 0);
  const isShort = validUntil > createdAt && validUntil < earliestEnd;
  return 'ended' in shown || heldAt < from || heldAt > to || isShort;
}

/** @throws {UnreadableAnswerError} if the event would be `isDoubtful`: then it is looked up. */
export function requireUndoubted(time: ProviderTime, known: Known, event: PaymentEvent): PaymentEvent {
  if (isDoubtful(time, known, event)) throw new UnreadableAnswerError();
  return event;
}
