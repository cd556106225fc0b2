import type { Instant, WaitPolicy } from '#workflows/lifecycle';
import { runningStep } from '#workflows/lifecycle/step/open-step.js';
import {
  type AgreementFacts,
  type Billing,
  type SubscriptionTransitionResult,
  type SubscriptionEvent,
  type SubscriptionEventType,
  type SubscriptionOrder,
  type SubscriptionState,
  type SubscriptionStatus,
  type SubscriptionStep,
  isTerminal,
  orderedSubscription,
} from '#workflows/lifecycle/subscription/subscription.js';
import { transition } from '#workflows/lifecycle/subscription';

export const day = 86_400_000;
export const orderedAt: Instant = Date.parse('2030-01-01T00:00:00Z');
export const now: Instant = orderedAt + 10 * day;

export const patience: WaitPolicy = {
  outcomeHorizonMs: 120_000,
  firstLookMs: 2_000,
  firstRetryMs: 1_000,
  firstPollMs: 30_000,
  longestPollMs: 3_600_000,
  maxAttempts: 8,
  reviewAfterMs: 600_000,
};

export const order: SubscriptionOrder = {
  subscriptionId: 'sub_1',
  planId: 'plan_1',
  providerPlanId: 'P-1',
  startAt: orderedAt + 30 * day,
  currency: 'USD',
  setupFeeMinor: 500,
  approvalBy: orderedAt + 3 * 3_600_000,
  patience,
};

export const billing: Billing = {
  updatedAt: now - day,
  cyclesCompleted: 2,
  cyclesRemaining: 10,
  nextBillingAt: now + day,
  lastPaymentAt: now - 29 * day,
  lastPaymentMinor: 1_000,
  outstandingMinor: 0,
  failedPayments: 0,
};

export function facts(shown: string, changed: Partial<Billing> = {}): AgreementFacts {
  return { agreementId: 'I-1', shown, billing: { ...billing, ...changed } };
}

const change = { commandId: 'cmd_1', note: 'because', from: 'active' } as const;

const stepIn: Readonly<Partial<Record<SubscriptionStatus, SubscriptionStep>>> = {
  creating: { type: 'createAgreement' },
  executing: { type: 'executeAgreement' },
  suspending: { type: 'suspendAgreement', ...change },
  reactivating: { type: 'reactivateAgreement', ...change, from: 'suspended' },
  cancelling: { type: 'cancelAgreement', ...change },
  billing_balance: { type: 'billBalance', ...change, minor: 500 },
  setting_balance: { type: 'setBalance', ...change, minor: 100 },
  needs_review: { type: 'suspendAgreement', ...change },
};

/** A subscription as it stands in a status; its step, if it has one, is under way. */
export function subscription(
  status: SubscriptionStatus,
  overrides: Partial<SubscriptionState> = {},
): SubscriptionState {
  const { openStep: _first, ...ordered } = orderedSubscription(order, orderedAt);
  const step = stepIn[status];
  const isOnboarding = ['creating', 'awaiting_approval', 'executing', 'declined', 'lapsed'].includes(status);
  return {
    ...ordered,
    status,
    ...(status !== 'creating' && { token: 'EC-1', approvalUrl: 'https://provider.example/?token=EC-1' }),
    ...(!isOnboarding && { agreementId: 'I-1', billing }),
    ...(step && !isTerminal(status) && { openStep: runningStep(2, step, now) }),
    stepsBegun: 2,
    lastPollAt: orderedAt,
    ...overrides,
  };
}

/** Where it stands after a read that had its payments read along. */
export function observed(
  state: SubscriptionState,
  seen: AgreementFacts,
  at = now,
): SubscriptionTransitionResult {
  return transition(state, { type: 'agreementObserved', facts: seen, book: { hasPaid: true } }, at);
}

export function after(state: SubscriptionState, ...events: SubscriptionEvent[]): SubscriptionState {
  return events.reduce((before, event) => transition(before, event, now).state, state);
}

export const refunded: SubscriptionEvent = {
  type: 'providerNotified',
  eventType: 'PAYMENT.SALE.REFUNDED',
  isAboutPayment: true,
};

/** Its step is not finished. */
export function inPhase(state: SubscriptionState, phase: 'doubt' | 'retry'): SubscriptionState {
  return state.openStep ? { ...state, openStep: { ...state.openStep, phase } } : state;
}

/** The next proof that its step is undone is the last one before it is given up. */
export function onLastAttempt(state: SubscriptionState): SubscriptionState {
  const attempts = patience.maxAttempts - 1;
  return state.openStep ? { ...state, openStep: { ...state.openStep, attempts } } : state;
}

export function inDoubt(state: SubscriptionState): SubscriptionState {
  return inPhase(state, 'doubt');
}

export const sampleEvents: {
  readonly [T in SubscriptionEventType]: Extract<SubscriptionEvent, { type: T }>;
} = {
  stepDeclined: { type: 'stepDeclined', reason: 'The provider refused it (X).' },
  stepDeferred: { type: 'stepDeferred', retryAt: now + 1_000 },
  outcomeUnknown: { type: 'outcomeUnknown', horizonAt: now + 120_000 },
  stepProvedUndone: { type: 'stepProvedUndone' },
  lookInconclusive: { type: 'lookInconclusive' },
  stepDecidedUndone: { type: 'stepDecidedUndone', reason: 'seen' },
  stepCameDue: { type: 'stepCameDue' },
  reviewCameDue: { type: 'reviewCameDue' },
  reviewDecided: { type: 'reviewDecided', commandId: 'cmd_2', decision: 'happened', reason: 'seen' },
  decisionRefused: { type: 'decisionRefused', commandId: 'cmd_2', code: 'too_early', reason: 'x' },
  agreementCreated: { type: 'agreementCreated', token: 'EC-1', approvalUrl: 'https://provider.example/' },
  creationLost: { type: 'creationLost' },
  agreementExecuted: { type: 'agreementExecuted', facts: facts('Active') },
  approvalFoundMissing: { type: 'approvalFoundMissing' },
  agreementSuspended: { type: 'agreementSuspended' },
  agreementReactivated: { type: 'agreementReactivated' },
  agreementCancelled: { type: 'agreementCancelled' },
  balanceBilled: { type: 'balanceBilled' },
  balanceSet: { type: 'balanceSet' },
  agreementObserved: { type: 'agreementObserved', facts: facts('Suspended', { updatedAt: now }) },
  observationFailed: { type: 'observationFailed' },
  payerApproved: { type: 'payerApproved' },
  payerCancelled: { type: 'payerCancelled' },
  suspendRequested: { type: 'suspendRequested', commandId: 'cmd_3', note: 'x' },
  reactivateRequested: { type: 'reactivateRequested', commandId: 'cmd_3', note: 'x' },
  cancelRequested: { type: 'cancelRequested', commandId: 'cmd_3', note: 'x' },
  billBalanceRequested: { type: 'billBalanceRequested', commandId: 'cmd_3', note: 'x' },
  setBalanceRequested: { type: 'setBalanceRequested', commandId: 'cmd_3', note: 'x', minor: 0 },
  providerNotified: { type: 'providerNotified', eventType: 'BILLING.SUBSCRIPTION.UPDATED' },
  approvalTimedOut: { type: 'approvalTimedOut' },
  renewalCameDue: { type: 'renewalCameDue' },
  pollCameDue: { type: 'pollCameDue' },
};
