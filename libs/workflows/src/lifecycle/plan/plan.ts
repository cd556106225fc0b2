import type { TransitionResult as ResultOf, Instant, WaitPolicy } from '../lifecycle.js';
import {
  type OpenStep as OpenStepOf,
  type StepEffect,
  type StepEvent,
  runningStep,
} from '../step/open-step.js';
import type { DecisionRefused } from '../step/review.js';

/** Where a plan stands. Only an active one takes subscriptions. */
export const planStatuses = ['creating', 'activating', 'active', 'inactive', 'deleted', 'declined'] as const;
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
  /** 0 for a regular phase without end. */
  readonly cycles: number;
  readonly minor: number;
  readonly shippingMinor?: number;
  readonly taxMinor?: number;
}

/** What payers agree to: fixed for the life of the plan. */
export interface PlanTerms {
  readonly name: string;
  readonly description: string;
  readonly currency: string;
  /** One regular phase, and at most one trial, whose cycles come first. */
  readonly phases: readonly PlanPhase[];
  readonly setupFeeMinor: number;
  /** Whether the setup fee, when it is declined, is owed, or ends the agreement (initial_amount_fail_action). */
  readonly setupFeeFailure: 'continue' | 'cancel';
  /** Whether what is outstanding is collected with the next cycle (autobill_amount). */
  readonly autoBillsOutstanding: boolean;
  /** Failed payments in a row after which an agreement is suspended; 0: never. */
  readonly maxFailedPayments: number;
}

export interface PlanOrder {
  /** Our id of the plan: the reference under which a lost creation is found again. */
  readonly planId: string;
  readonly terms: PlanTerms;
  readonly patience: WaitPolicy;
}

export type PlanStep = { readonly type: 'createPlan' } | { readonly type: 'activatePlan' };
export type OpenStep = OpenStepOf<PlanStep>;

export interface PlanFacts {
  /** The provider's word for where it stands: CREATED, ACTIVE, INACTIVE, DELETED. */
  readonly shown: string;
  /** When the provider last changed it, where it tells. */
  readonly updatedAt?: Instant;
}

export interface PlanState {
  readonly status: PlanStatus;
  readonly order: PlanOrder;
  readonly providerPlanId?: string;
  /** Of the last read that was taken: an older one tells nothing new. */
  readonly updatedAt?: Instant;
  readonly openStep?: OpenStep;
  readonly stepsBegun: number;
  readonly reason?: string;
  /** True while a read that was called for has failed. */
  readonly readOwed: boolean;
  readonly polls: number;
  readonly lastPollAt: Instant;
}

/** Names are past tense: they have happened. */
export type PlanEvent =
  | StepEvent
  // Of what no step here ever needs: it is taken nowhere.
  | DecisionRefused
  | { readonly type: 'planCreated'; readonly providerPlanId: string; readonly facts: PlanFacts }
  | { readonly type: 'planActivated' }
  | { readonly type: 'planObserved'; readonly facts: PlanFacts }
  | { readonly type: 'observationFailed' }
  | { readonly type: 'providerNotified'; readonly eventType: string; readonly isCheck?: true }
  | { readonly type: 'pollCameDue' };
export type PlanEventType = PlanEvent['type'];

export type PlanEffect = StepEffect<PlanStep> | { readonly type: 'observe' };
export type PlanTransitionResult = ResultOf<PlanState, PlanEffect, never>;

/** The state of a plan that has just been ordered: its creation at the provider is the first step. */
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
