import { amountsOf, isOtherAmount } from './amounts.js';
import {
  type Decision,
  type Instant,
  type MoneyStep,
  type OpenStep,
  type PaymentEvent,
  type PaymentState,
  type PaymentStatus,
  runningStep,
} from './payment.js';
import { end, enter, isPolicyCommand, moved, observe, withoutStep } from './rules.js';

/**
 * Names a step for ever: with the number of an attempt it stands for one POST. A worker that dies takes unpersisted
 * reads with it, and what the next one reads may lead there by a shorter way (the hold is there already, no execution
 * is needed any more). So a name says what is done and for which command, not which in a row it is.
 */
export function nameOfStep({ number, step }: Pick<OpenStep, 'number' | 'step'>): string {
  switch (step.type) {
    case 'createPayment':
      return 'create';
    case 'executePayment':
      // Nothing but the creation and earlier executions comes before it, whatever the way.
      return `execute-${number}`;
    case 'captureAuthorization':
    case 'voidAuthorization':
      return step.commandId;
  }
}

/** The provider certainly did nothing (refused before doing, or never reached): the same step again, later. */
export function deferStep(state: PaymentState, retryAt: Instant, now: Instant): Decision {
  const { openStep } = state;
  if (!openStep) return { kind: 'stale', state };
  const attempts = openStep.attempts + 1;
  if (isEnough(state, openStep.step, attempts, now)) return giveUp(state, openStep.step, now);
  return moved({ ...state, openStep: { ...openStep, phase: 'retry', attempts, nextAt: retryAt } });
}

/** Nobody knows whether it happened: look it up over the outcome horizon; never call that a failure. */
export function doubtStep(state: PaymentState, horizonAt: Instant, now: Instant): Decision {
  const { openStep } = state;
  if (!openStep) return { kind: 'stale', state };
  const nextAt = now + state.order.patience.firstLookMs;
  return moved({
    ...state,
    openStep: { ...openStep, phase: 'doubt', looks: 0, since: now, horizonAt, nextAt },
  });
}

/** A look that shows nothing proves nothing before the horizon. After too long a person decides. */
export function lookAgain(state: PaymentState, _event: unknown, now: Instant): Decision {
  const { openStep } = state;
  if (openStep?.phase !== 'doubt') return { kind: 'stale', state };
  const looked = {
    ...state,
    openStep: { ...openStep, looks: openStep.looks + 1, nextAt: nextLook(state, openStep, now) },
  };
  if (state.status !== 'needs_review' && now - openStep.since >= state.order.patience.reviewAfterMs) {
    return moved({
      ...enter(looked, 'needs_review', now),
      reason: `It cannot be proved whether ${describe(openStep.step)} happened.`,
    });
  }
  return moved(looked);
}

/** Proved undone: repeat it, as often as the order's patience allows (which identity the repeat bears: attempt-identity.ts). */
export function repeatStep(state: PaymentState, _event: unknown, now: Instant): Decision {
  const { openStep } = state;
  if (!openStep) return { kind: 'stale', state };
  const attempts = openStep.attempts + 1;
  if (isEnough(state, openStep.step, attempts, now)) return giveUp(state, openStep.step, now);
  return moved(
    { ...state, openStep: { ...runningStep(openStep.number, openStep.step, now), attempts } },
    { type: 'perform', step: openStep.step },
  );
}

/** The step's time has come (or a webhook hints at its outcome): repeat what is proved undone, look up what is in doubt. */
export function takeOpenStep(state: PaymentState, event: PaymentEvent, now: Instant): Decision {
  const { openStep } = state;
  if (!openStep) return { kind: 'stale', state };
  if (openStep.phase === 'doubt') {
    return moved(state, { type: 'lookUp', step: openStep.step, horizonAt: openStep.horizonAt });
  }
  // A webhook is no reason to hurry a repeat: the provider asked us to wait.
  if (openStep.phase !== 'retry' || event.type !== 'stepCameDue') return { kind: 'stale', state };
  return moved(
    { ...state, openStep: { ...openStep, phase: 'running', since: now } },
    { type: 'perform', step: openStep.step },
  );
}

/** A webhook hints at the outcome of the step that is open, or else at what became of the hold. */
export function takeNotification(state: PaymentState, event: PaymentEvent, now: Instant): Decision {
  return state.openStep ? takeOpenStep(state, event, now) : observe(state, now);
}

/** The provider refused the capture or void, so nothing moved; why it did is read from the provider. */
export function failStep(state: PaymentState, event: { readonly reason: string }, now: Instant): Decision {
  if (!state.openStep) return { kind: 'stale', state };
  const failed = { ...enter(withoutStep(state), statusOfHold(state), now), reason: event.reason };
  return moved(failed, { type: 'observe' });
}

function statusOfHold(state: PaymentState): PaymentStatus {
  // The void of a hold that is not what was ordered has failed: it goes back to whom it came from.
  if (isOtherAmount(state)) return 'needs_review';
  return amountsOf(state).captured > 0 ? 'partially_captured' : 'authorized';
}

/** A person was asked, and then the proof came after all: go on as if it had come in time. */
export function resumeReviewed(decide: (state: PaymentState, event: PaymentEvent, now: Instant) => Decision) {
  return (state: PaymentState, event: PaymentEvent, now: Instant): Decision => {
    if (!state.openStep) return { kind: 'stale', state };
    const resumed = decide(enter(state, statusDuring(state.openStep.step), now), event, now);
    return resumed.kind === 'stale' ? { kind: 'stale', state } : resumed;
  };
}

/**
 * A command's caller is told that the provider is away, and may ask again. Nobody asks again for what a policy does: it
 * is repeated for as long as the hold can be captured.
 */
function isEnough(state: PaymentState, step: MoneyStep, attempts: number, now: Instant): boolean {
  const { authorization, order } = state;
  const isPolicy = 'commandId' in step && isPolicyCommand(order, step.commandId);
  if (isPolicy && authorization && now < authorization.validUntil) return false;
  return attempts >= order.patience.maxAttempts;
}

function giveUp(state: PaymentState, step: MoneyStep, now: Instant): Decision {
  const reason = `The provider could not be brought to answer; it is proved that ${describe(step)} did not happen.`;
  if (step.type === 'createPayment' || step.type === 'executePayment')
    return end(state, 'declined', now, reason);
  return failStep(state, { reason }, now);
}

function nextLook(state: PaymentState, openStep: OpenStep, now: Instant): Instant {
  const { firstLookMs, longestPollMs } = state.order.patience;
  const next = now + Math.min(longestPollMs, firstLookMs * 2 ** Math.min(openStep.looks + 1, 30));
  // The look that proves absence is worth the earliest possible moment.
  return now < openStep.horizonAt ? Math.min(next, openStep.horizonAt) : next;
}

function statusDuring(step: MoneyStep): PaymentStatus {
  switch (step.type) {
    case 'createPayment':
      return 'creating';
    case 'executePayment':
      return 'authorizing';
    case 'captureAuthorization':
      return 'capturing';
    case 'voidAuthorization':
      return 'voiding';
  }
}

function describe(step: MoneyStep): string {
  switch (step.type) {
    case 'createPayment':
      return 'the creation of the payment';
    case 'executePayment':
      return 'the execution of the payment';
    case 'captureAuthorization':
      return 'the capture';
    case 'voidAuthorization':
      return 'the void';
  }
}
