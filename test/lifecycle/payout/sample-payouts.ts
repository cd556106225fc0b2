import type { WaitPolicy } from '#workflows/lifecycle';
import {
  type PayoutEvent,
  type PayoutEventType,
  type PayoutOrder,
  type PayoutState,
  type PayoutStatus,
  orderedPayout,
} from '#workflows/lifecycle/payout/payout.js';
import { type OpenStep as OpenStepOf, runningStep } from '#workflows/lifecycle/step/open-step.js';
import type { PayoutStep, ItemTotals } from '#workflows/lifecycle/payout';

export const second = 1_000;
export const day = 86_400_000;
export const now = Date.parse('2030-01-01T00:00:00Z');

export const patience: WaitPolicy = {
  outcomeHorizonMs: 60 * second,
  firstLookMs: second,
  firstRetryMs: second,
  firstPollMs: 30 * second,
  longestPollMs: 3_600 * second,
  maxAttempts: 3,
  reviewAfterMs: 300 * second,
};

export const order: PayoutOrder = {
  payoutId: 'po_1',
  items: 3,
  total: { minor: 3_000, currency: 'USD' },
  orderedAt: now,
  patience,
};

export const open: ItemTotals = {
  success: { count: 2, minor: 2_000 },
  unclaimed: { count: 1, minor: 1_000 },
};
export const ended: ItemTotals = { success: { count: 3, minor: 3_000 } };

export const creation: PayoutStep = { type: 'createPayout' };
export const cancellation: PayoutStep = {
  type: 'cancelPayoutItem',
  commandId: 'cmd_1',
  itemId: 'anna',
  providerItemId: 'ITEM-1',
};

export function inDoubt(step: PayoutStep): OpenStepOf<PayoutStep> {
  return {
    ...runningStep(1, step, now),
    phase: 'doubt',
    looks: 1,
    horizonAt: now + 60 * second,
    nextAt: now,
  };
}

/** A payout as it typically stands in a status. */
export function payout(status: PayoutStatus, change: Partial<PayoutState> = {}): PayoutState {
  const { openStep, ...ordered } = orderedPayout(order);
  if (status === 'creating') return { ...ordered, ...(openStep && { openStep }), ...change };
  const { totals: queued } = ordered;
  const isSent = status !== 'declined';
  const totals = status === 'processing' || !isSent ? queued : status === 'settling' ? open : ended;
  return { ...ordered, status, totals, ...(isSent && { providerBatchId: 'BATCH-1' }), ...change };
}

export const sampleEvents: { readonly [T in PayoutEventType]: Extract<PayoutEvent, { type: T }> } = {
  stepDeclined: { type: 'stepDeclined', reason: 'declined' },
  stepDeferred: { type: 'stepDeferred', retryAt: now + second },
  outcomeUnknown: { type: 'outcomeUnknown', horizonAt: now + 60 * second },
  stepProvedUndone: { type: 'stepProvedUndone' },
  lookInconclusive: { type: 'lookInconclusive' },
  stepDecidedUndone: { type: 'stepDecidedUndone', reason: 'seen' },
  stepCameDue: { type: 'stepCameDue' },
  reviewCameDue: { type: 'reviewCameDue' },
  reviewDecided: {
    type: 'reviewDecided',
    commandId: 'cmd_2',
    decision: 'happened',
    reason: 'seen',
    resourceId: 'BATCH-1',
  },
  decisionRefused: { type: 'decisionRefused', commandId: 'cmd_2', code: 'too_early', reason: 'wait' },
  payoutCreated: { type: 'payoutCreated', providerBatchId: 'BATCH-1' },
  itemCancelled: { type: 'itemCancelled', totals: ended },
  payoutObserved: { type: 'payoutObserved', facts: { batchStatus: 'SUCCESS', totals: ended } },
  observationFailed: { type: 'observationFailed' },
  itemCancelRequested: {
    type: 'itemCancelRequested',
    commandId: 'cmd_1',
    itemId: 'anna',
    providerItemId: 'ITEM-1',
  },
  providerNotified: { type: 'providerNotified', eventType: 'PAYMENT.PAYOUTS-ITEM.SUCCEEDED' },
  pollCameDue: { type: 'pollCameDue' },
};
