import { statusOfHold } from './amounts.js';
import { StepRules } from '../step/step-rules.js';
import type { Instant } from '../lifecycle.js';
import { type MoneyStep, type OpenStep, type PaymentState, type PaymentStatus, isSale } from './payment.js';
import type { TransitionResult, Effect, PaymentEvent, RefusalCode } from './event.js';
import { deferReauthorization } from './reauthorization.js';
import { rememberNews, takeHint } from './reads.js';
import { end, enter, moved, withoutStep } from './rules.js';
import { isPolicyCommand } from './policy-commands.js';

/**
 * The permanent name of a step: with the number of an attempt it identifies one POST. When a worker dies, its
 * unpersisted reads are lost, and the next worker may reach the step by fewer steps (the hold already exists, so no
 * execution is needed). So the name contains the action and the command, not a sequence number.
 */
export function nameOfStep({ number, step }: Pick<OpenStep, 'number' | 'step'>): string {
  switch (step.type) {
    case 'createPayment':
      return 'create';
    case 'executePayment':
      // The number is stable: only the creation and earlier executions can come before it.
      return `execute-${number}`;
    case 'captureAuthorization':
    case 'voidAuthorization':
    case 'reauthorizeAuthorization':
      return step.commandId;
  }
}

/** The step rules of a payment. */
export const steps = new StepRules<PaymentState, MoneyStep, Effect, RefusalCode>({
  waitPolicyOf: ({ order }) => order.patience,
  statusDuring,
  describe,
  enter,
  isRepeatedBeyondLimit,
  giveUp,
});

type Notified = Extract<PaymentEvent, { type: 'providerNotified' }>;

/** A webhook is a hint about the open step, otherwise about the hold. */
export function takeNotification(state: PaymentState, event: Notified, now: Instant): TransitionResult {
  return state.openStep ? takeHintOfStep(state, event, now) : takeHint(state, event, now);
}

/** A lookup shows only what became of the step; the news may be of something else. */
export function takeHintOfStep(state: PaymentState, event: Notified, now: Instant): TransitionResult {
  const remembering = rememberNews(state, event, now);
  const taken = steps.take(remembering, event, now);
  return taken.kind === 'stale' && remembering !== state ? moved(remembering) : taken;
}

/** The provider refused the capture or void, so nothing moved. A read shows the reason. */
export function failStep(
  state: PaymentState,
  event: { readonly reason: string },
  now: Instant,
): TransitionResult {
  if (!state.openStep) return { kind: 'stale', state };
  const failed = { ...enter(withoutStep(state), statusOfHold(state), now), reason: event.reason };
  return moved(failed, { type: 'observe' });
}

/** Then an operator has long known; the payer and the shop have given up before. */
const longestOutageMs = 3 * 86_400_000;

/**
 * The caller of a command learns that the provider is away and can repeat the request. Nobody repeats a policy's step,
 * so it is repeated as long as the hold can be captured. Nor does a payer approve twice: the execution is repeated for
 * three days after the last moment for an approval, which may have come at that moment.
 */
function isRepeatedBeyondLimit(
  { authorization, order }: PaymentState,
  step: MoneyStep,
  now: Instant,
): boolean {
  // A reauthorization is not repeated here, because an open step blocks captures: the policy tries it again later.
  if (step.type === 'reauthorizeAuthorization') return false;
  if (step.type === 'executePayment') return now < order.approvalBy + longestOutageMs;
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
