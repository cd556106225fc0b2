import { statusOfHold } from './amounts.js';
import { StepRules } from '../step/step-rules.js';
import type { Instant } from '../lifecycle.js';
import { type MoneyStep, type OpenStep, type PaymentState, type PaymentStatus, isSale } from './payment.js';
import type { TransitionResult, Effect, PaymentEvent, RefusalCode } from './event.js';
import { deferReauthorization } from './reauthorization.js';
import { end, enter, moved, takeHint, withoutStep } from './rules.js';
import { isPolicyCommand } from './policy-commands.js';

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
    case 'reauthorizeAuthorization':
      return step.commandId;
  }
}

/** How a payment's steps go on while their outcome is open. */
export const steps = new StepRules<PaymentState, MoneyStep, Effect, RefusalCode>({
  waitPolicyOf: ({ order }) => order.patience,
  statusDuring,
  describe,
  enter,
  isRepeatedOn,
  giveUp,
});

/** A webhook hints at the outcome of the step that is open, or else at what became of the hold. */
export function takeNotification(
  state: PaymentState,
  event: Extract<PaymentEvent, { type: 'providerNotified' }>,
  now: Instant,
): TransitionResult {
  return state.openStep ? steps.take(state, event, now) : takeHint(state, event, now);
}

/** The provider refused the capture or void, so nothing moved; why it did is read from the provider. */
export function failStep(
  state: PaymentState,
  event: { readonly reason: string },
  now: Instant,
): TransitionResult {
  if (!state.openStep) return { kind: 'stale', state };
  const failed = { ...enter(withoutStep(state), statusOfHold(state), now), reason: event.reason };
  return moved(failed, { type: 'observe' });
}

/**
 * A command's caller is told that the provider is away, and may ask again. Nobody asks again for what a policy does: it
 * is repeated for as long as the hold can be captured.
 */
function isRepeatedOn({ authorization, order }: PaymentState, step: MoneyStep, now: Instant): boolean {
  // A hold is not kept from captures for as long as it cannot be renewed: the policy tries that again later.
  if (step.type === 'reauthorizeAuthorization') return false;
  const isPolicy = 'commandId' in step && isPolicyCommand(order, step.commandId);
  return isPolicy && authorization !== undefined && now < authorization.validUntil;
}

function giveUp(state: PaymentState, step: MoneyStep, reason: string, now: Instant): TransitionResult {
  if (step.type === 'createPayment' || step.type === 'executePayment')
    return end(state, 'declined', now, reason);
  if (step.type === 'reauthorizeAuthorization') return deferReauthorization(state, reason, now);
  return failStep(state, { reason }, now);
}

function statusDuring(step: MoneyStep, { order }: PaymentState): PaymentStatus {
  switch (step.type) {
    case 'createPayment':
      return 'creating';
    case 'executePayment':
      return isSale(order) ? 'executing' : 'authorizing';
    case 'captureAuthorization':
      return 'capturing';
    case 'voidAuthorization':
      return 'voiding';
    case 'reauthorizeAuthorization':
      return 'reauthorizing';
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
    case 'reauthorizeAuthorization':
      return 'the reauthorization';
  }
}
