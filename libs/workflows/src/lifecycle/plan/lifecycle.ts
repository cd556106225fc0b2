import { type Deadline, type Instant, type Lifecycle, earliest } from '../lifecycle.js';
import type { Position } from '../progress.js';
import { type Restarted, owingPoll, restartFrom as takeUpAnyAgain } from '../restart.js';
import { lookBeforeRefusalOf } from '../step/look-before-refusal.js';
import { stepDeadlines } from '../step/open-step.js';
import { pollWait } from '../widening-wait.js';
import { type PlanEffect, type PlanEvent, type PlanState, type PlanStep, isTerminal } from './plan.js';
import { transition } from './transition.js';

export const planLifecycle: Lifecycle<PlanState, PlanEvent, PlanEffect> = {
  transition,
  isTerminal,
  nextDeadline,
  quiet: new Set(['pollCameDue', 'stepCameDue', 'lookInconclusive', 'providerNotified', 'observationFailed']),
};

/**
 * Deadlines come only from an open step, a failed read, and a deactivation of ours, after which it is read once more.
 * Changes of a plan made elsewhere come as events.
 */
export function nextDeadline(state: PlanState): Deadline<PlanEvent> | undefined {
  const { openStep, readOwed, polls, lastPollAt, readsSettleAt, order } = state;
  const due: Deadline<PlanEvent>[] = [...stepDeadlines(openStep)];
  if (readsSettleAt !== undefined && lastPollAt < readsSettleAt && !openStep && !isTerminal(state.status)) {
    due.push({ at: readsSettleAt, event: { type: 'pollCameDue' } });
  }
  if (readOwed && !openStep) {
    due.push({ at: lastPollAt + pollWait(order.patience, polls), event: { type: 'pollCameDue' } });
  }
  return earliest(due);
}

export const lookBeforeRefusal = lookBeforeRefusalOf<PlanState, PlanStep, PlanEvent, PlanEffect>({
  transition,
  isTerminal,
  requests: new Set(['deactivateRequested']),
  read: ({ providerPlanId }) => (providerPlanId === undefined ? undefined : { type: 'observe' }),
});

/** @param rows the state in the plan's row; the plan has not ended. */
export function restartFrom(rows: Position<PlanState>, now: Instant): Restarted<PlanState> {
  return takeUpAnyAgain(rows, now, owingPoll);
}
