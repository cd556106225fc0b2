import type { PlanStepInput, PlanStepOutcome } from '#workflows/contract';
import type { OpenStep, PlanEvent } from '#workflows/lifecycle/plan';
import { findPlanByReference } from '../provider/find-plan.js';
import { lookLimit } from '../provider/provider-clients.js';
import { isProviderTrouble } from '../provider/provider-facts.js';
import type { Look } from '../steps/look-up-step.js';
import { recordEvent } from '../steps/record-event.js';
import type { ActivityContext } from '../context.js';
import { eventOfPlan, planFactsOf } from './create-plan.js';
import type { PlanWork } from './plan-books.js';

/** Reads the plan: a webhook is a hint, this is the truth. */
export async function observePlan(work: PlanWork, input: PlanStepInput): Promise<PlanStepOutcome> {
  const { context } = work;
  const { result: event, calls } = await context.providers.recording(() => read(context, input));
  return await recordEvent(work, input, event, calls);
}

/** What the provider shows of a plan's step: the plan under our own reference, or its state. */
export async function lookForPlanStep(
  context: ActivityContext,
  { identity, state }: PlanStepInput,
  { step }: OpenStep,
  reference: string,
): Promise<Look<PlanEvent>> {
  const client = context.providers.for(identity);
  if (step.type === 'createPlan') {
    const found = await findPlanByReference(client, state.order.terms.name, reference);
    return typeof found === 'string' ? found : eventOfPlan(found);
  }
  const plan = await client.plans.get(state.providerPlanId ?? '', { signal: lookLimit() });
  if (plan.state === 'ACTIVE') return { type: 'planActivated' };
  if (plan.state === 'DELETED')
    return { type: 'stepDeclined', reason: 'The plan was deleted at the provider.' };
  return 'absent';
}

async function read(context: ActivityContext, { identity, state }: PlanStepInput): Promise<PlanEvent> {
  if (state.providerPlanId === undefined) return { type: 'observationFailed' };
  try {
    const { plans } = context.providers.for(identity);
    const plan = await plans.get(state.providerPlanId, { signal: lookLimit() });
    return { type: 'planObserved', facts: planFactsOf(plan) };
  } catch (error) {
    // The run looks again later; a bug of ours must not pass for a silent provider.
    if (isProviderTrouble(error)) return { type: 'observationFailed' };
    throw error;
  }
}
