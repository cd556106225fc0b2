import { planRecords, subscriptionRecords } from '#database/transitions';
import type { Plan } from '#payments-client';
import { subscriptionRunAfterEnd } from '#runs';
import {
  type ShownPhase,
  type ShownPlan,
  differencesOf as differencesOfPlan,
  type PlanState,
  frequencies,
} from '#workflows/lifecycle/plan';
import {
  differencesOf,
  isBookOwed,
  subscriptionLifecycle,
  type SubscriptionState,
} from '#workflows/lifecycle/subscription';
import { planFactsOf } from '../subscriptions/create-plan.js';
import { agreementFactsOf, minorOf } from '../provider/agreement-facts.js';
import { lookLimit } from '../provider/provider-clients.js';
import { UnreadableAnswerError } from '../provider/provider-facts.js';
import type { ComparedKind } from './compared-kind.js';

export const comparedPlans: ComparedKind<PlanState> = {
  records: planRecords,
  isComparable: ({ openStep, providerPlanId }) => !openStep && providerPlanId !== undefined,
  owesRead: ({ readOwed }) => readOwed,
  differences: async ({ client, state }) => {
    const plan = await client.plans.get(state.providerPlanId ?? '', { signal: lookLimit() });
    return differencesOfPlan(state, shownPlan(plan, state.order.terms.currency));
  },
};

export const comparedSubscriptions: ComparedKind<SubscriptionState> = {
  records: subscriptionRecords,
  isComparable: ({ openStep, agreementId, readsSettleAt = 0 }) =>
    !openStep && agreementId !== undefined && Date.now() >= readsSettleAt,
  owesRead: ({ readOwed }) => readOwed,
  owesAfterEnd: (state) => isBookOwed(state) && isOverdue(state),
  runAfterEnd: subscriptionRunAfterEnd,
  differences: async ({ client, state, context }) => {
    const agreement = await client.agreements.get(state.agreementId ?? '', { signal: lookLimit() });
    const facts = agreementFactsOf(agreement, state.order.currency);
    // Each cycle changes the agreement, and its event comes a moment later.
    const { updatedAt = 0 } = facts.billing;
    if (Date.now() - updatedAt < context.reconciliation.overlapMs) return undefined;
    return differencesOf(state, facts);
  },
};

const phases = ['REGULAR', 'TRIAL'] as const;

function shownPlan(plan: Plan, currency: string): ShownPlan {
  const { paymentDefinitions, merchantPreferences } = plan;
  const shownPhases = paymentDefinitions.map((definition) => shownPhase(definition, currency));
  const setupFee = merchantPreferences?.setupFee;
  return {
    shown: planFactsOf(plan).shown,
    ...(shownPhases.length > 0 && { phases: shownPhases }),
    ...(setupFee && { setupFeeMinor: minorOf(setupFee, currency) }),
  };
}

function shownPhase(
  { type, frequency, frequencyInterval, cycles, amount }: Plan['paymentDefinitions'][number],
  currency: string,
): ShownPhase {
  const phase = phases.find((one) => one === type);
  const often = frequencies.find((one) => one === frequency);
  if (!phase || !often || !amount || frequencyInterval === undefined || cycles === undefined) {
    throw new UnreadableAnswerError();
  }
  return {
    type: phase,
    frequency: often,
    interval: frequencyInterval,
    cycles,
    minor: minorOf(amount, currency),
  };
}

/** A run that is there makes its read when it is due. A hint before that would put off the one after it, again and again. */
function isOverdue(state: SubscriptionState): boolean {
  const due = subscriptionLifecycle.nextDeadline(state)?.at ?? 0;
  return due + state.order.patience.firstPollMs < Date.now();
}
