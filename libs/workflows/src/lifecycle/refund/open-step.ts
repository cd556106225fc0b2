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

/** A refund has one step, which is repeated only after it is proved undone. */
export const refundStepName = 'refund';

/** The step rules of a refund. */
export const steps = new StepRules<RefundState, RefundStep, RefundEffect, RefundRefusalCode>({
  waitPolicyOf: ({ patience }) => patience,
  statusDuring: () => 'requesting',
  describe: () => 'the refund',
  enter,
  // Nothing went back: the reserved amount can be refunded again.
  giveUp: (state, _step, reason) => abandonStep(state, { reason }),
});

/** Takes the provider's answer, or the refund with our reference. Its state is the refund's state. */
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

/** The refund was not made and is not repeated: a caller that still wants it must request it again. */
export function abandonStep(
  state: RefundState,
  { reason }: { readonly reason: string },
): RefundTransitionResult {
  return moved({ ...enter(withoutStep(state), 'failed'), reason });
}

/** A reason explains one status, so it is removed when the status changes. */
export function enter(state: RefundState, status: RefundStatus): RefundState {
  if (status === state.status) return state;
  const { reason: _past, ...rest } = state;
  return { ...rest, status };
}

export function withoutStep(state: RefundState): RefundState {
  const { openStep: _finished, ...rest } = state;
  return rest;
}

function moved(state: RefundState): RefundTransitionResult {
  return { kind: 'moved', state };
}
