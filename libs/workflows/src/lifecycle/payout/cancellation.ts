import { type Instant, refuse } from '../lifecycle.js';
import { StepRules } from '../step/step-rules.js';
import { soon } from './deadlines.js';
import { statusAfterItems } from './observation.js';
import type {
  TransitionResult,
  OpenStep,
  PayoutEffect,
  PayoutEvent,
  PayoutState,
  PayoutStep,
  RefusalCode,
} from './payout.js';
import { end, enter, moved, withoutStep } from './rules.js';

type EventOf<T extends PayoutEvent['type']> = Extract<PayoutEvent, { type: T }>;

/** The permanent name of a step: with the number of an attempt it identifies one POST. */
export function nameOfStep({ step }: Pick<OpenStep, 'step'>): string {
  return step.type === 'createPayout' ? 'create' : step.commandId;
}

/** The step rules of an item's cancellation. The creation has its own rules. */
export const steps = new StepRules<PayoutState, PayoutStep, PayoutEffect, RefusalCode>({
  waitPolicyOf: ({ order }) => order.patience,
  statusDuring: ({ type }) => (type === 'createPayout' ? 'creating' : 'settling'),
  describe: ({ type }) =>
    type === 'createPayout' ? 'the creation of the batch' : 'the cancellation of the item',
  enter,
  giveUp: (state, step, reason, now) =>
    step.type === 'createPayout'
      ? end(state, 'declined', now, reason)
      : failCancellation(state, { reason }, now),
});

/** One cancellation at a time, so that a lost answer belongs to a known item. */
export function beginCancellation(
  state: PayoutState,
  { commandId, itemId, providerItemId }: EventOf<'itemCancelRequested'>,
  now: Instant,
): TransitionResult {
  if (state.openStep) {
    return refuse(state, 'another_in_progress', 'Another item is being cancelled; ask again when it is.');
  }
  return steps.begin(state, { type: 'cancelPayoutItem', commandId, itemId, providerItemId }, now);
}

export function finishCancellation(
  state: PayoutState,
  { totals }: EventOf<'itemCancelled'>,
  now: Instant,
): TransitionResult {
  if (!state.openStep) return { kind: 'stale', state };
  const after = { ...withoutStep(state), totals };
  return moved(enter(after, statusAfterItems(after, 'SUCCESS'), now));
}

/** The provider refused it, so nothing moved. A read shows the item's status. */
export function failCancellation(
  state: PayoutState,
  { reason }: { readonly reason: string },
  now: Instant,
): TransitionResult {
  if (!state.openStep) return { kind: 'stale', state };
  return moved({ ...enter(withoutStep(state), 'settling', now), reason, readAt: soon(state, now) });
}
