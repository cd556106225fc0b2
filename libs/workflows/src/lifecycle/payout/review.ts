import type { Instant } from '../lifecycle.js';
import { failCancellation } from './cancellation.js';
import type { TransitionResult, PayoutEvent, PayoutState } from './payout.js';
import { end } from './rules.js';

type EventOf<T extends PayoutEvent['type']> = Extract<PayoutEvent, { type: T }>;

/** The step did not happen and is not repeated: a caller that still wants it must request it again. */
export function abandonStep(
  state: PayoutState,
  { reason }: EventOf<'stepDecidedUndone'>,
  now: Instant,
): TransitionResult {
  if (!state.openStep) return { kind: 'stale', state };
  if (state.openStep.step.type === 'createPayout') return end(state, 'declined', now, reason);
  return failCancellation(state, { reason }, now);
}
