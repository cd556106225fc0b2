import type { Instant } from '../lifecycle.js';
import { possibleStepDecisions } from '../step/review.js';
import { failCancellation } from './cancellation.js';
import type { Decision, PayoutEvent, PayoutState } from './payout.js';
import { end, moved, refuse } from './rules.js';

type EventOf<T extends PayoutEvent['type']> = Extract<PayoutEvent, { type: T }>;

/** An operator has decided; what is said to have happened, or not, is held against the provider before it is believed. */
export function decideReview(state: PayoutState, event: EventOf<'reviewDecided'>): Decision {
  const { type: _type, ...decided } = event;
  const possible = possibleStepDecisions(state);
  if (!possible.includes(decided.decision)) {
    const reason = `What is under review can be decided by ${possible.join(' or ')} only.`;
    return refuse(state, 'not_allowed_in_state', reason);
  }
  return moved(state, { type: 'verifyDecision', decided });
}

/** The step did not happen, and is not repeated either: whoever wants it asks for it again. */
export function abandonStep(
  state: PayoutState,
  { reason }: EventOf<'stepDecidedUndone'>,
  now: Instant,
): Decision {
  if (!state.openStep) return { kind: 'stale', state };
  if (state.openStep.step.type === 'createPayout') return end(state, 'declined', now, reason);
  return failCancellation(state, { reason }, now);
}
