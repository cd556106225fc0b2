import type { PlanActivities, SubscriptionActivities } from '#workflows/contract';
import { lookUpStep } from '../steps/lookups/look-up-step.js';
import { onlyAccepted } from '../steps/activities/accepted-request.js';
import { recordTransitionWithoutCall } from '../steps/activities/record-event.js';
import { refusedWritesAsResults } from '../steps/activities/refused-writes-as-results.js';
import type { ActivityContext } from '../steps/activities/context.js';
import { billBalance } from './bill-balance.js';
import { changeAgreement, createAgreement, executeAgreement } from './change-agreement.js';
import { activatePlan, createPlan, deactivatePlan } from './create-plan.js';
import { findEnded } from '../steps/activities/find-ended.js';
import { lookUpAgreementStep } from './look-up-agreement-step.js';
import { setBalance } from './set-balance.js';
import { observeAgreement } from './observe-agreement.js';
import { lookUpPlanStep, observePlan } from './observe-plan.js';
import { type PlanWork, planWriter } from './plan-writer.js';
import { type SubscriptionWork, subscriptionWriter } from './subscription-writer.js';
import { verifySubscriptionDecision } from './verify-subscription-decision.js';

export function planActivities(context: ActivityContext): PlanActivities {
  const work: PlanWork = { context, writer: planWriter };
  return refusedWritesAsResults(
    onlyAccepted(work, {
      createPlan: (input, reference) => createPlan(work, input, reference),
      activatePlan: (input) => activatePlan(work, input),
      deactivatePlan: (input) => deactivatePlan(work, input),
      lookUpPlan: (input, reference, hint) =>
        lookUpStep(work, input, (step) => lookUpPlanStep(context, input, step, reference), hint),
      observePlan: (input) => observePlan(work, input),
      recordPlan: (input) => recordTransitionWithoutCall(work, input),
    }),
  );
}

export function subscriptionActivities(context: ActivityContext): SubscriptionActivities {
  const work: SubscriptionWork = { context, writer: subscriptionWriter };
  return refusedWritesAsResults(
    onlyAccepted(work, {
      findEndedSubscription: (identity) => findEnded(work, identity),
      createAgreement: (input, offer) => createAgreement(work, input, offer),
      executeAgreement: (input, offer) => executeAgreement(work, input, offer),
      changeAgreement: (input) => changeAgreement(work, input),
      billBalance: (input) => billBalance(work, input),
      setBalance: (input) => setBalance(work, input),
      lookUpAgreement: (input, offer, hint) =>
        lookUpStep(
          work,
          input,
          (step, attempts) => lookUpAgreementStep(context, input, step, attempts, offer),
          hint,
        ),
      observeAgreement: (input) => observeAgreement(work, input),
      verifySubscriptionDecision: (input, offer, decided) =>
        verifySubscriptionDecision(work, input, offer, decided),
      recordSubscription: (input) => recordTransitionWithoutCall(work, input),
    }),
  );
}
