import type { Instant } from '../lifecycle.js';
import { StepRules } from '../step/step-rules.js';
import { end, enter, moved, startPassed, withoutStep } from './rules.js';
import type {
  OpenStep,
  StandingStatus,
  StateChange,
  SubscriptionTransitionResult,
  SubscriptionEffect,
  SubscriptionRefusalCode,
  SubscriptionState,
  SubscriptionStatus,
  SubscriptionStep,
} from './subscription.js';

const statusDuring = {
  createAgreement: 'creating',
  executeAgreement: 'executing',
  suspendAgreement: 'suspending',
  reactivateAgreement: 'reactivating',
  cancelAgreement: 'cancelling',
} as const satisfies Record<SubscriptionStep['type'], SubscriptionStatus>;

const words: Readonly<Record<SubscriptionStep['type'], string>> = {
  createAgreement: 'the creation of the agreement',
  executeAgreement: 'the execution of the agreement',
  suspendAgreement: 'the suspension',
  reactivateAgreement: 'the reactivation',
  cancelAgreement: 'the cancellation',
};

/** Names a step for ever: with the number of an attempt it stands for one POST. */
export function nameOfStep({ number, step }: Pick<OpenStep, 'number' | 'step'>): string {
  switch (step.type) {
    case 'createAgreement':
      return 'create';
    case 'executeAgreement':
      // Nothing but the creation and earlier executions comes before it, whatever the way.
      return `execute-${number}`;
    case 'suspendAgreement':
    case 'reactivateAgreement':
    case 'cancelAgreement':
      return step.commandId;
  }
}

/** How a subscription's steps go on while their outcome is open. */
export const steps = new StepRules<
  SubscriptionState,
  SubscriptionStep,
  SubscriptionEffect,
  SubscriptionRefusalCode
>({
  waitPolicyOf: ({ order }) => order.patience,
  statusDuring: ({ type }) => statusDuring[type],
  describe: ({ type }) => words[type],
  enter,
  giveUp,
});

export function beginExecution(state: SubscriptionState, now: Instant): SubscriptionTransitionResult {
  const { isReturnWaiting: _taken, ...rest } = state;
  if (isTooLate(state, now)) return end(rest, 'lapsed', now, startPassed);
  return steps.begin(rest, { type: 'executeAgreement' }, now);
}

/** An execution that is proved undone is not made once it would be too late; one in doubt is still looked up. */
export function unlessTooLate<Event extends { readonly type: string }>(
  rule: (state: SubscriptionState, event: Event, now: Instant) => SubscriptionTransitionResult,
): (state: SubscriptionState, event: Event, now: Instant) => SubscriptionTransitionResult {
  return (state, event, now) => {
    const taken = rule(state, event, now);
    const isSent = taken.kind === 'moved' && taken.effect?.type === 'perform';
    return isSent && isTooLate(state, now) ? end(state, 'lapsed', now, startPassed) : taken;
  };
}

function isTooLate({ order }: SubscriptionState, now: Instant): boolean {
  return order.executeBefore !== undefined && now >= order.executeBefore;
}

export function beginChange(
  state: SubscriptionState,
  type: StateChange['type'],
  { commandId, note }: Pick<StateChange, 'commandId' | 'note'>,
  from: StandingStatus,
  now: Instant,
): SubscriptionTransitionResult {
  return steps.begin(state, { type, commandId, note, from }, now);
}

/** The provider refused, so nothing changed; why it did is read from the provider. */
export function failChange(
  state: SubscriptionState,
  { reason }: { readonly reason: string },
  now: Instant,
): SubscriptionTransitionResult {
  const step = state.openStep?.step;
  if (!step || !('from' in step)) return { kind: 'stale', state };
  return moved({ ...enter(withoutStep(state), step.from, now), reason }, { type: 'observe' });
}

function giveUp(
  state: SubscriptionState,
  step: SubscriptionStep,
  reason: string,
  now: Instant,
): SubscriptionTransitionResult {
  if (step.type === 'createAgreement') {
    // Not proved, and not needed: nobody has the address at which what may be there could be approved.
    return end(state, 'declined', now, 'The provider could not be brought to answer; nothing can be billed.');
  }
  return step.type === 'executeAgreement'
    ? end(state, 'declined', now, reason)
    : failChange(state, { reason }, now);
}
