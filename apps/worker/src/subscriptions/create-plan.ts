import { type CreatePlanRequest, type Plan } from '#payments-client';
import type { PlanStepInput, PlanStepOutcome } from '#workflows/contract';
import { formatMoney } from '#workflows/lifecycle';
import type { PlanEvent, PlanFacts, PlanPhase, PlanTerms } from '#workflows/lifecycle/plan';
import { isReturnTo } from '../provider/return-address.js';
import { UnreadableAnswerError } from '../provider/provider-facts.js';
import { attemptStep } from '../steps/attempts/attempt-step.js';
import type { PlanWork } from './plan-writer.js';

/**
 * Creates the plan at the provider (specification 2.5). Our own address of the plan is sent as well, to find the plan
 * when the reply is lost.
 */
export async function createPlan(
  work: PlanWork,
  input: PlanStepInput,
  reference: string,
): Promise<PlanStepOutcome> {
  const { terms } = input.state.order;
  return await attemptStep(work, input, async ({ requestId }) => {
    const { plans } = work.context.providers.for(input.identity);
    const plan = await plans.create(requestOf(terms, reference), { requestId });
    const { returnUrl = reference } = plan.merchantPreferences ?? {};
    if (!isReturnTo(reference, returnUrl)) throw new UnreadableAnswerError();
    return eventOfPlan(plan);
  });
}

/** Activates the plan: nobody can subscribe to it before. */
export async function activatePlan(work: PlanWork, input: PlanStepInput): Promise<PlanStepOutcome> {
  return await changePlan(work, input, { state: 'ACTIVE', event: { type: 'planActivated' } });
}

/** Deactivates the plan: nobody can subscribe to it from then on. Agreements that exist are billed on. */
export async function deactivatePlan(work: PlanWork, input: PlanStepInput): Promise<PlanStepOutcome> {
  return await changePlan(work, input, { state: 'INACTIVE', event: { type: 'planDeactivated' } });
}

async function changePlan(
  work: PlanWork,
  input: PlanStepInput,
  { state, event }: { readonly state: 'ACTIVE' | 'INACTIVE'; readonly event: PlanEvent },
): Promise<PlanStepOutcome> {
  const { providerPlanId } = input.state;
  if (providerPlanId === undefined) throw new Error('nothing to change');
  return await attemptStep(work, input, async () => {
    await work.context.providers.for(input.identity).plans.update(providerPlanId, { state });
    return event;
  });
}

export function eventOfPlan(plan: Plan): PlanEvent {
  return { type: 'planCreated', providerPlanId: plan.id, facts: planFactsOf(plan) };
}

/** A plan without a state was just created. */
export function planFactsOf({ state, updateTime }: Plan): PlanFacts {
  return {
    shown: state ?? 'CREATED',
    ...(updateTime !== undefined && { updatedAt: Date.parse(updateTime) }),
  };
}

function requestOf(terms: PlanTerms, reference: string): CreatePlanRequest {
  const { name, description, phases, setupFeeMinor, currency } = terms;
  return {
    name,
    description,
    type: phases.some(({ type, cycles }) => type === 'REGULAR' && cycles === 0) ? 'infinite' : 'fixed',
    paymentDefinitions: phases.map((phase) => definitionOf(phase, currency)),
    merchantPreferences: {
      // Each agreement has its own addresses.
      returnUrl: reference,
      cancelUrl: reference,
      ...(setupFeeMinor > 0 && { setupFee: amountOf(setupFeeMinor, currency) }),
      initialAmountFailAction: terms.setupFeeFailure === 'cancel' ? 'CANCEL' : 'CONTINUE',
      autoBillAmount: terms.autoBillsOutstanding ? 'YES' : 'NO',
      maxFailAttempts: terms.maxFailedPayments,
    },
  };
}

function definitionOf(phase: PlanPhase, currency: string): CreatePlanRequest['paymentDefinitions'][number] {
  const { name, type, frequency, interval, cycles, minor, shippingMinor, taxMinor } = phase;
  const charges = [
    ...(shippingMinor === undefined ? [] : [{ type: 'SHIPPING' as const, minor: shippingMinor }]),
    ...(taxMinor === undefined ? [] : [{ type: 'TAX' as const, minor: taxMinor }]),
  ];
  return {
    name,
    type,
    frequency,
    frequencyInterval: interval,
    cycles,
    amount: amountOf(minor, currency),
    ...(charges.length > 0 && {
      chargeModels: charges.map((charge) => ({
        type: charge.type,
        amount: amountOf(charge.minor, currency),
      })),
    }),
  };
}

function amountOf(minor: number, currency: string) {
  return { value: formatMoney({ minor, currency }), currency };
}
