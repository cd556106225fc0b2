import type { PlanActivities, SubscriptionActivities } from '#workflows/contract';
import { lookUpStep } from '../steps/look-up-step.js';
import { onlyAccepted } from '../steps/accepted-request.js';
import { recordStanding } from '../steps/record-event.js';
import { tellingOfRows } from '../steps/telling-of-rows.js';
import type { ActivityContext } from '../context.js';
import { changeAgreement, createAgreement, executeAgreement } from './change-agreement.js';
import { activatePlan, createPlan } from './create-plan.js';
import { findEnded } from '../steps/find-ended.js';
import { lookForAgreementStep } from './look-up-agreement.js';
import { observeAgreement } from './observe-agreement.js';
import { lookForPlanStep, observePlan } from './observe-plan.js';
import { type PlanWork, planBooks } from './plan-books.js';
import { type SubscriptionWork, subscriptionBooks } from './subscription-books.js';
import { verifySubscriptionDecision } from './verify-subscription-decision.js';

export function planActivities(context: ActivityContext): PlanActivities {
  const work: PlanWork = { context, books: planBooks };
  return tellingOfRows(
    onlyAccepted(work, {
      createPlan: (input, reference) => createPlan(work, input, reference),
      activatePlan: (input) => activatePlan(work, input),
      lookUpPlan: (input, reference, hint) =>
        lookUpStep(work, input, (step) => lookForPlanStep(context, input, step, reference), hint),
      observePlan: (input) => observePlan(work, input),
      recordPlan: (input) => recordStanding(work, input),
    }),
  );
}

export function subscriptionActivities(context: ActivityContext): SubscriptionActivities {
  const work: SubscriptionWork = { context, books: subscriptionBooks };
  return tellingOfRows(
    onlyAccepted(work, {
      findEndedSubscription: (identity) => findEnded(work, identity),
      createAgreement: (input, offer) => createAgreement(work, input, offer),
      executeAgreement: (input) => executeAgreement(work, input),
      changeAgreement: (input) => changeAgreement(work, input),
      lookUpAgreement: (input, offer, hint) =>
        lookUpStep(
          work,
          input,
          (step, attempts) => lookForAgreementStep(context, input, step, attempts, offer),
          hint,
        ),
      observeAgreement: (input) => observeAgreement(work, input),
      verifySubscriptionDecision: (input, offer, decided) =>
        verifySubscriptionDecision(work, input, offer, decided),
      recordSubscription: (input) => recordStanding(work, input),
    }),
  );
}
