import type { Instant } from '../lifecycle.js';
import { StepRules } from '../step/step-rules.js';
import type {
  AnsweredRefund,
  RefundTransitionResult,
  RefundEffect,
  RefundRefusalCode,
  RefundState,
  RefundStatus,
  RefundStep,
} from './refund.js';
import { statusShown } from './status-shown.js';

/** A refund has one step in its life, which is repeated only where it is proved undone. */
export const refundStepName = 'refund';

/** How the request goes on while its outcome is open. */
export const steps = new StepRules<RefundState, RefundStep, RefundEffect, RefundRefusalCode>({
  waitPolicyOf: ({ patience }) => patience,
  statusDuring: () => 'requesting',
  describe: () => 'the refund',
  enter,
  // Nothing went back: what it had reserved of the captured amount can be asked for again.
  giveUp: (state, _step, reason) => abandonStep(state, { reason }),
});

/** The provider's answer, or what it shows under our reference. Its word for where our own request stands is the truth. */
export function takeAnswer(
  state: RefundState,
  { refund }: { readonly refund: AnsweredRefund },
  now: Instant,
): RefundTransitionResult {
  const { providerRefundId, settledAt = now } = refund;
  const status = statusShown(refund.state);
  return moved({
    ...enter(withoutStep(state), status),
    providerRefundId,
    polls: 0,
    lastLookAt: now,
    ...(status === 'completed' && { refundedAt: settledAt }),
  });
}

export function decline(state: RefundState, { reason }: { readonly reason: string }): RefundTransitionResult {
  return moved({ ...enter(withoutStep(state), 'declined'), reason });
}

/** It was not made, and is not repeated either: whoever wants it asks for it again. */
export function abandonStep(
  state: RefundState,
  { reason }: { readonly reason: string },
): RefundTransitionResult {
  return moved({ ...enter(withoutStep(state), 'failed'), reason });
}

/** The reason for standing where it stood goes with the status that it explained. */
export function enter(state: RefundState, status: RefundStatus): RefundState {
  if (status === state.status) return state;
  const { reason: _past, ...rest } = state;
  return { ...rest, status };
}

export function withoutStep(state: RefundState): RefundState {
  const { openStep: _finished, ...rest } = state;
  return rest;
}

export function moved(state: RefundState, effect?: RefundEffect): RefundTransitionResult {
  return effect ? { kind: 'moved', state, effect } : { kind: 'moved', state };
}
