import type { Plan } from '#payments-client';
import type { PlanStepInput, PlanStepOutcome } from '#workflows/contract';
import type { OpenStep, PlanEvent, PlanState } from '#workflows/lifecycle/plan';
import { findPlanByReference } from '../provider/find-plan.js';
import { lookLimit } from '../provider/provider-clients.js';
import { isProviderTrouble } from '../provider/provider-facts.js';
import type { LookupResult } from '../steps/lookups/look-up-step.js';
import { makeRead } from '../steps/activities/make-read.js';
import { recordEvent } from '../steps/activities/record-event.js';
import type { ActivityContext } from '../steps/activities/context.js';
import { eventOfPlan, planFactsOf } from './create-plan.js';
import type { PlanWork } from './plan-writer.js';

/** Reads the plan. A webhook is only a hint; this read decides. */
export async function observePlan(work: PlanWork, input: PlanStepInput): Promise<PlanStepOutcome> {
  const { context } = work;
  const { shown: event, made } = await makeRead(context, () => read(context, input));
  return await recordEvent(work, input, event, made);
}

/** Looks up the outcome of a plan's step: the plan by our own reference, or its state. */
export async function lookUpPlanStep(
  context: ActivityContext,
  { identity, state }: PlanStepInput,
  { step }: OpenStep,
  reference: string,
): Promise<LookupResult<PlanEvent>> {
  const client = context.providers.for(identity);
  if (step.type === 'createPlan') {
    const found = await findPlanByReference(client, state.order.terms.name, reference);
    return typeof found === 'string' ? found : eventOfPlan(found);
  }
  const plan = await client.plans.get(state.providerPlanId ?? '', { signal: lookLimit() });
  if (step.type === 'deactivatePlan') return deactivationShown(state, plan);
  if (plan.state === 'ACTIVE') return { type: 'planActivated' };
  if (plan.state === 'DELETED')
    return { type: 'stepDeclined', reason: 'The plan was deleted at the provider.' };
  return 'absent';
}

/** A deleted plan takes no subscriptions either; that it is deleted, the next read shows. */
function deactivationShown({ updatedAt = 0 }: PlanState, plan: Plan): LookupResult<PlanEvent> {
  const facts = planFactsOf(plan);
  // It may have been inactive before somebody activated it again, and a read that lags shows that.
  if (plan.state === undefined || (facts.updatedAt ?? updatedAt) < updatedAt) return 'unreadable';
  return plan.state === 'INACTIVE' || plan.state === 'DELETED' ? { type: 'planDeactivated' } : 'absent';
}

async function read(context: ActivityContext, { identity, state }: PlanStepInput): Promise<PlanEvent> {
  if (state.providerPlanId === undefined) return { type: 'observationFailed' };
  try {
    const { plans } = context.providers.for(identity);
    const plan = await plans.get(state.providerPlanId, { signal: lookLimit() });
    return { type: 'planObserved', facts: planFactsOf(plan) };
  } catch (error) {
    // The run reads again later. A bug of ours must not be treated as a provider that is away.
    if (isProviderTrouble(error)) return { type: 'observationFailed' };
    throw error;
  }
}
