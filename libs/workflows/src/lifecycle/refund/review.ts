import { enter, moved, withoutStep } from './open-step.js';
import type { RefundDecision, RefundEvent, RefundRefusalCode, RefundState } from './refund.js';

/** An operator has decided; what is said is held against the provider before it is believed. */
export function decideReview(
  state: RefundState,
  { type: _type, ...decided }: Extract<RefundEvent, { type: 'reviewDecided' }>,
): RefundDecision {
  return moved(state, { type: 'verifyDecision', decided });
}

/** It was not made, and is not repeated either: whoever wants it asks for it again. */
export function abandonStep(state: RefundState, { reason }: { readonly reason: string }): RefundDecision {
  return moved({ ...enter(withoutStep(state), 'failed'), reason });
}

export function refuse(state: RefundState, code: RefundRefusalCode, reason: string): RefundDecision {
  return { kind: 'refused', state, refusal: { code, reason } };
}
