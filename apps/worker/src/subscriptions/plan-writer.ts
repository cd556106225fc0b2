import { type CommandOutcome, planRecords } from '#database/transitions';
import { type PlanIdentity, planCommandId, planSubject } from '#workflows/contract';
import {
  planLifecycle,
  nameOfStep,
  waitPolicyOf,
  type PlanEvent,
  type PlanState,
  type PlanStep,
} from '#workflows/lifecycle/plan';
import type { Work } from '../steps/activities/subject-writer.js';

export type PlanWork = Work<{
  identity: PlanIdentity;
  state: PlanState;
  event: PlanEvent;
  step: PlanStep;
}>;

export const planWriter: PlanWork['writer'] = {
  lifecycle: planLifecycle,
  records: planRecords,
  subjectOf: planSubject,
  waitPolicyOf,
  nameOfStep,
  // Both of its steps carry out the order: the order succeeds once the plan is active.
  commandOf: (_step, { order }) => ({ commandId: planCommandId(order.planId), kind: 'create' }),
  commandsIn: () => [],
  outcomeOfStep: (_step, event, after) => outcomeOf(event, after),
};

function outcomeOf(event: { readonly type: string }, after: PlanState): CommandOutcome {
  const command = { commandId: planCommandId(after.order.planId), kind: 'create' } as const;
  if (after.status === 'active') return { ...command, status: 'succeeded' };
  if (after.openStep) return { ...command, status: 'executing' };
  const code = event.type === 'stepDeclined' ? 'provider_refused' : 'provider_unavailable';
  return { ...command, status: 'failed', result: { code, reason: after.reason ?? '' } };
}
