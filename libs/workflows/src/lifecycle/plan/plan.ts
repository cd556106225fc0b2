import type { TransitionResult as ResultOf, Instant, WaitPolicy } from '../lifecycle.js';
import {
  type OpenStep as OpenStepOf,
  type StepEffect,
  type StepEvent,
  runningStep,
} from '../step/open-step.js';
import type { DecisionRefused } from '../step/review.js';

/** The statuses of a plan. Only an active plan accepts subscriptions. */
export const planStatuses = [
  'creating',
  'activating',
  'active',
  'deactivating',
  'inactive',
  'deleted',
  'declined',
] as const;
export type PlanStatus = (typeof planStatuses)[number];

export function isTerminal(status: PlanStatus): boolean {
  return status === 'deleted' || status === 'declined';
}

export const frequencies = ['DAY', 'WEEK', 'MONTH', 'YEAR'] as const;
export type Frequency = (typeof frequencies)[number];

/** One phase of a plan (specification 2.5 payment_definitions). Amounts in minor units of the plan's currency. */
export interface PlanPhase {
  readonly name: string;
  readonly type: 'REGULAR' | 'TRIAL';
  readonly frequency: Frequency;
  /** Units of `frequency` from one cycle to the next. */
  readonly interval: number;
  /** 0: a regular phase without an end. */
  readonly cycles: number;
  readonly minor: number;
  readonly shippingMinor?: number;
  readonly taxMinor?: number;
}

/** The terms that payers agree to; they never change. */
export interface PlanTerms {
  readonly name: string;
  readonly description: string;
  readonly currency: string;
  /** One regular phase, and at most one trial phase before it. */
  readonly phases: readonly PlanPhase[];
  readonly setupFeeMinor: number;
  /** Whether a declined setup fee stays outstanding or ends the agreement (initial_amount_fail_action). */
  readonly setupFeeFailure: 'continue' | 'cancel';
  /** Whether what is outstanding is collected with the next cycle (autobill_amount). */
  readonly autoBillsOutstanding: boolean;
  /** The number of consecutive failed payments after which an agreement is suspended; 0: never. */
  readonly maxFailedPayments: number;
}

export interface PlanOrder {
  /** Our id of the plan: the reference by which a lost creation is found. */
  readonly planId: string;
  readonly terms: PlanTerms;
  readonly patience: WaitPolicy;
}

export type PlanStep =
  | { readonly type: 'createPlan' }
  | { readonly type: 'activatePlan' }
  | { readonly type: 'deactivatePlan'; readonly commandId: string };
export type OpenStep = OpenStepOf<PlanStep>;

export interface PlanFacts {
  /** The provider's state: CREATED, ACTIVE, INACTIVE, DELETED. */
  readonly shown: string;
  /** When the provider last changed it, if shown. */
  readonly updatedAt?: Instant;
}

export interface PlanState {
  readonly status: PlanStatus;
  readonly order: PlanOrder;
  readonly providerPlanId?: string;
  /** From the latest read: an older read has no news. */
  readonly updatedAt?: Instant;
  /** Until then a read may still show the plan as active, as it was before our deactivation. */
  readonly readsSettleAt?: Instant;
  readonly openStep?: OpenStep;
  readonly stepsBegun: number;
  readonly reason?: string;
  /** True after a requested read has failed: the read is still due. */
  readonly readOwed: boolean;
  readonly polls: number;
  readonly lastPollAt: Instant;
}

/** The events of a plan. Names are in the past tense. */
export type PlanEvent =
  | StepEvent
  // Never occurs: a plan has no review.
  | DecisionRefused
  | { readonly type: 'planCreated'; readonly providerPlanId: string; readonly facts: PlanFacts }
  | { readonly type: 'planActivated' }
  | { readonly type: 'planDeactivated' }
  | { readonly type: 'planObserved'; readonly facts: PlanFacts }
  | { readonly type: 'observationFailed' }
  | { readonly type: 'deactivateRequested'; readonly commandId: string }
  | { readonly type: 'providerNotified'; readonly eventType: string; readonly isCheck?: true }
  | { readonly type: 'pollCameDue' };
export type PlanEventType = PlanEvent['type'];

export type PlanEffect = StepEffect<PlanStep> | { readonly type: 'observe' };
export type PlanRefusalCode = 'not_allowed_in_state';
export type PlanTransitionResult = ResultOf<PlanState, PlanEffect, PlanRefusalCode>;

/** The first state of an ordered plan: its first step is the creation at the provider. */
export function orderedPlan(order: PlanOrder, now: Instant): PlanState {
  return {
    status: 'creating',
    order,
    openStep: runningStep(1, { type: 'createPlan' }, now),
    stepsBegun: 1,
    readOwed: false,
    polls: 0,
    lastPollAt: now,
  };
}
