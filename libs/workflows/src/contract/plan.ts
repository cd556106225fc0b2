import { defineQuery, defineSignal } from '@temporalio/workflow';
import type { PlanEvent, PlanOrder, PlanState, PlanStatus } from '../lifecycle/plan/plan.js';
import type { LookHint } from '../lifecycle/step/open-step.js';
import type {
  ActivityInput,
  Continued,
  RecordOutcome,
  RunMessage,
  RunSnapshot,
  StepResult,
  TimedInput,
} from './run.js';
import type { Subject } from './subject.js';

/** Names a plan, its environment and its application. */
export interface PlanIdentity {
  readonly environment: string;
  readonly application: string;
  readonly planId: string;
}

export interface PlanRunInput extends TimedInput {
  readonly identity: PlanIdentity;
  readonly order: PlanOrder;
  /** The plan's address in our API. The provider shows it, so that a lost creation can be found by it. */
  readonly reference: string;
  /** Set when the run continues as new. */
  readonly continued?: Continued<PlanState, PlanMessage>;
  /** The number of messages after which the run continues as new. It also does so when the server suggests it. */
  readonly messagesPerRun: number;
}

export type PlanRunEvent = Extract<PlanEvent, { type: 'providerNotified' | 'deactivateRequested' }>;
export type PlanMessage = RunMessage<PlanRunEvent>;

export const planWorkflowType = 'planWorkflow';

export const planNotifiedSignal = defineSignal<[PlanMessage]>('providerNotified');
/** One signal per kind of event, so that the history reads like the timeline. */
export const planSignals = {
  providerNotified: planNotifiedSignal,
  deactivateRequested: defineSignal<[PlanMessage]>('deactivateRequested'),
} as const satisfies Record<PlanRunEvent['type'], unknown>;

export type PlanSnapshot = RunSnapshot<PlanState>;
export const planSnapshotQuery = defineQuery<PlanSnapshot>('snapshot');

/** How a plan's run ended. */
export interface PlanOutcome {
  readonly status: PlanStatus;
}

export function planSubject({ environment, application, planId }: PlanIdentity): Subject {
  return { environment, application, id: planId };
}

/** The command that ordered a plan. */
export function planCommandId(planId: string): string {
  return `${planId}:order`;
}

/** The input of each activity: the plan's state, and the timeline since the rows were last written. */
export type PlanStepInput = ActivityInput<PlanIdentity, PlanState>;

export type PlanStepOutcome = StepResult<PlanState, PlanEvent>;

/** Activities of a plan's run. Each writes its rows itself, so that a transition costs one activity. */
export interface PlanActivities {
  createPlan(input: PlanStepInput, reference: string): Promise<PlanStepOutcome>;
  activatePlan(input: PlanStepInput): Promise<PlanStepOutcome>;
  deactivatePlan(input: PlanStepInput): Promise<PlanStepOutcome>;
  /** Looks up whether an open step was carried out. */
  lookUpPlan(input: PlanStepInput, reference: string, hint?: LookHint): Promise<PlanStepOutcome>;
  observePlan(input: PlanStepInput): Promise<PlanStepOutcome>;
  /** Writes a transition that needed no call to the provider. */
  recordPlan(input: PlanStepInput): Promise<RecordOutcome<PlanState>>;
}
