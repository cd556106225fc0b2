import type { PlanEvent, PlanState } from '#workflows/lifecycle/plan';
import { transition } from '#workflows/lifecycle/plan/transition.js';
import { plan } from '../../lifecycle/plan/sample-plans.js';
import { now, patience } from '../../lifecycle/subscription/sample-subscriptions.js';
import type { Explored } from './explore.js';

const shown = ['CREATED', 'ACTIVE', 'INACTIVE', 'DELETED', 'ON_MARS'];
const ordered = plan('creating');

/** A doubt about a plan moves no money: nobody is ever asked about one. */
const impatient = { ...patience, maxAttempts: 2, reviewAfterMs: Number.MAX_SAFE_INTEGER };

export const planning: Explored<PlanState, PlanEvent> = {
  starts: [{ ...ordered, order: { ...ordered.order, patience: impatient } }],
  events: [
    { type: 'stepDeclined', reason: 'The provider refused it (X).' },
    { type: 'stepDeferred', retryAt: now + 1_000 },
    { type: 'outcomeUnknown', horizonAt: now + 120_000 },
    { type: 'stepProvedUndone' },
    { type: 'lookInconclusive' },
    { type: 'stepDecidedUndone', reason: 'seen' },
    { type: 'stepCameDue' },
    { type: 'decisionRefused', commandId: 'cmd_2', code: 'too_early', reason: 'x' },
    ...shown.map((word): PlanEvent => ({
      type: 'planCreated',
      providerPlanId: 'P-1',
      facts: { shown: word },
    })),
    { type: 'planActivated' },
    { type: 'planDeactivated' },
    { type: 'deactivateRequested', commandId: 'cmd_1' },
    ...shown.map((word): PlanEvent => ({ type: 'planObserved', facts: { shown: word } })),
    { type: 'observationFailed' },
    { type: 'providerNotified', eventType: 'BILLING.PLAN.UPDATED' },
    { type: 'pollCameDue' },
  ],
  instants: [now, now + 3_600_000],
  transition,
  likeness: ({ status, providerPlanId, openStep }) => [
    status,
    providerPlanId,
    openStep && [openStep.step.type, openStep.phase, openStep.attempts],
  ],
};
