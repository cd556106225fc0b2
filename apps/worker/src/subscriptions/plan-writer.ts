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
import { outcomeOfUndone, refusedCommands } from '../steps/activities/command-outcomes.js';
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
  commandOf,
  commandsIn: refusedCommands,
  outcomeOfStep: (step, event, after) => {
    if (step.type !== 'deactivatePlan') return outcomeOfOrder(event, after);
    const command = commandOf(step, after);
    return event.type === 'planDeactivated'
      ? { ...command, status: 'succeeded' }
      : outcomeOfUndone(command, event, after);
  },
};

/** Creation and activation carry out the order: it succeeds once the plan is active. */
function commandOf(step: PlanStep, { order }: PlanState): Pick<CommandOutcome, 'commandId' | 'kind'> {
  return step.type === 'deactivatePlan'
    ? { commandId: step.commandId, kind: 'deactivate' }
    : { commandId: planCommandId(order.planId), kind: 'create' };
}

function outcomeOfOrder(event: { readonly type: string }, after: PlanState): CommandOutcome {
  const command = { commandId: planCommandId(after.order.planId), kind: 'create' } as const;
  if (after.status === 'active') return { ...command, status: 'succeeded' };
  if (after.openStep) return { ...command, status: 'executing' };
  const code = event.type === 'stepDeclined' ? 'provider_refused' : 'provider_unavailable';
  return { ...command, status: 'failed', result: { code, reason: after.reason ?? '' } };
}
