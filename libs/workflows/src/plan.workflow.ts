import { continueAsNew, setHandler } from '@temporalio/workflow';
import {
  type PlanActivities,
  type PlanMessage,
  type PlanOutcome,
  type PlanRunInput,
  type PlanStepInput,
  type PlanStepOutcome,
  planSignals,
  planSnapshotQuery,
} from './contract/plan.js';
import { asNewRunsDo } from './contract/run.js';
import { lookBeforeRefusal, planLifecycle } from './lifecycle/plan/lifecycle.js';
import { type PlanEffect, type PlanEvent, type PlanState, orderedPlan } from './lifecycle/plan/plan.js';
import { describePlan } from './plan-description.js';
import { begunAt } from './run/begun-at.js';
import { takeSignals } from './run/handlers.js';
import { LifecycleRun } from './run/lifecycle-run.js';
import { type CallOf, activityCalls } from './run/local-activities.js';

const activities = activityCalls<PlanActivities>();

/** The run of one plan: creates and activates it, then follows changes made elsewhere. */
export async function planWorkflow(input: PlanRunInput): Promise<PlanOutcome> {
  const run = new LifecycleRun<PlanState, PlanEvent, PlanEffect, PlanMessage>(
    {
      lifecycle: planLifecycle,
      firstEffect: { type: 'perform', step: { type: 'createPlan' } },
      carryOut: (effect, position) => carryOut(input, effect, { identity: input.identity, ...position }),
      record: (position) => activities.recordPlan({ identity: input.identity, ...position }),
      describe: (state, effect) => describePlan(state, effect, input.reference),
      currencyOf: (state) => state.order.terms.currency,
      isHint: (event) => event.type === 'providerNotified',
      sharesReads: () => true,
      lookBefore: lookBeforeRefusal,
      recordsTime: input.recordsTime === true,
      takesEvents: input.takesEvents === true,
      messagesPerRun: input.messagesPerRun,
      continueAsNew: (continued) =>
        continueAsNew<typeof planWorkflow>({ ...input, ...asNewRunsDo, continued }),
    },
    orderedPlan(input.order, begunAt(input)),
    input.continued,
  );
  takeSignals(run, planSignals, input);
  setHandler(planSnapshotQuery, () => run.snapshot());
  await run.run();
  return { status: run.state.status };
}

function carryOut(
  { reference }: PlanRunInput,
  effect: PlanEffect,
  step: PlanStepInput,
): CallOf<PlanStepOutcome> {
  switch (effect.type) {
    case 'lookUp':
      return activities.lookUpPlan(step, reference, effect.hint);
    case 'observe':
      return activities.observePlan(step);
    case 'perform':
      switch (effect.step.type) {
        case 'createPlan':
          return activities.createPlan(step, reference);
        case 'activatePlan':
          return activities.activatePlan(step);
        case 'deactivatePlan':
          return activities.deactivatePlan(step);
      }
  }
}
