import type { Instant } from '../lifecycle.js';
import { StepRules } from '../step/step-rules.js';
import { end, endedByPayer, enter, moved, startPassed, withoutStep } from './rules.js';
import type {
  OpenStep,
  ChangeableStatus,
  StateChange,
  SubscriptionOrder,
  SubscriptionTransitionResult,
  SubscriptionEffect,
  SubscriptionRefusalCode,
  SubscriptionState,
  SubscriptionStatus,
  SubscriptionStep,
} from './subscription.js';

type Rule<Event> = (state: SubscriptionState, event: Event, now: Instant) => SubscriptionTransitionResult;

const statusDuring = {
  createAgreement: 'creating',
  executeAgreement: 'executing',
  suspendAgreement: 'suspending',
  reactivateAgreement: 'reactivating',
  cancelAgreement: 'cancelling',
  billBalance: 'billing_balance',
  setBalance: 'setting_balance',
} as const satisfies Record<SubscriptionStep['type'], SubscriptionStatus>;

const words: Readonly<Record<SubscriptionStep['type'], string>> = {
  createAgreement: 'the creation of the agreement',
  executeAgreement: 'the execution of the agreement',
  suspendAgreement: 'the suspension',
  reactivateAgreement: 'the reactivation',
  cancelAgreement: 'the cancellation',
  billBalance: 'the billing of the balance',
  setBalance: 'the setting of the balance',
};

/** The permanent name of a step: with the number of an attempt it identifies one POST. */
export function nameOfStep({ number, step }: Pick<OpenStep, 'number' | 'step'>): string {
  switch (step.type) {
    case 'createAgreement':
      return 'create';
    case 'executeAgreement':
      // The number is stable: only the creation and earlier executions can come before it.
      return `execute-${number}`;
    case 'suspendAgreement':
    case 'reactivateAgreement':
    case 'cancelAgreement':
    case 'billBalance':
    case 'setBalance':
      return step.commandId;
  }
}

/** The step rules of a subscription. */
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
  isRepeatedBeyondLimit,
  giveUp,
});

/** At the end of the time for an approval there is no later poll: only an execution shows whether the payer approved. */
function isRepeatedBeyondLimit(
  { lapsed, order }: SubscriptionState,
  step: SubscriptionStep,
  now: Instant,
): boolean {
  if (step.type !== 'executeAgreement' || order.executeBefore === undefined) return false;
  return lapsed && !isTooLate(order, now);
}

export function beginExecution(state: SubscriptionState, now: Instant): SubscriptionTransitionResult {
  const { isReturnWaiting: _taken, ...rest } = state;
  if (lapsesUntried(state, now)) return end(rest, 'lapsed', now, startPassed);
  return steps.begin(rest, { type: 'executeAgreement' }, now);
}

/**
 * For older orders: an execution that is proved undone is not repeated when it is too late; one with an unknown outcome
 * is still looked up.
 */
export function unlessTooLate<Event extends { readonly type: string }>(rule: Rule<Event>): Rule<Event> {
  return (state, event, now) => {
    const taken = rule(state, event, now);
    const isSent = taken.kind === 'moved' && taken.effect?.type === 'perform';
    return isSent && lapsesUntried(state, now) ? end(state, 'lapsed', now, startPassed) : taken;
  };
}

/** An execution that was not made: the payer's cancellation that was kept ends the subscription instead of a repeat. */
export function unlessCancelled<Event extends { readonly isCancelFounded?: true }>(
  rule: Rule<Event>,
): Rule<Event> {
  return (state, event, now) =>
    state.isCancelWaiting && event.isCancelFounded
      ? end(state, 'cancelled', now, endedByPayer)
      : rule(state, event, now);
}

function lapsesUntried({ order }: SubscriptionState, now: Instant): boolean {
  return order.provesLapse !== true && isTooLate(order, now);
}

/** Whether an execution now would make the provider bill past cycles at once. */
export function isTooLate(
  { executeBefore }: Pick<SubscriptionOrder, 'executeBefore'>,
  now: Instant,
): boolean {
  return executeBefore !== undefined && now >= executeBefore;
}

export function beginChange(
  state: SubscriptionState,
  type: StateChange['type'],
  { commandId, note }: Pick<StateChange, 'commandId' | 'note'>,
  from: ChangeableStatus,
  now: Instant,
): SubscriptionTransitionResult {
  return steps.begin(state, { type, commandId, note, from }, now);
}

/** The provider refused, so nothing changed. A read shows the reason. */
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
    // No proof is needed: nobody has the approval address of an agreement that may exist.
    return end(state, 'declined', now, 'The provider gave no usable answer; nothing can be billed.');
  }
  return step.type === 'executeAgreement'
    ? giveUpExecution(state, reason, now)
    : failChange(state, { reason }, now);
}

/** The payer has approved, or may still approve: a later poll tries it again. */
function giveUpExecution(
  { isReturnWaiting: _taken, ...state }: SubscriptionState,
  reason: string,
  now: Instant,
): SubscriptionTransitionResult {
  if (state.lapsed || isTooLate(state.order, now)) return end(state, 'declined', now, reason);
  const waiting = enter(withoutStep(state), 'awaiting_approval', now);
  return moved({ ...waiting, approvalPolls: state.approvalPolls + 1, reason });
}
