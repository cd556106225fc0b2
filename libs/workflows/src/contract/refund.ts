import { defineQuery, defineSignal } from '@temporalio/workflow';
import type { WaitPolicy } from '../lifecycle/lifecycle.js';
import type { Money } from '../lifecycle/money.js';
import type { RefundClaim, RefundEvent, RefundState, RefundStatus } from '../lifecycle/refund/refund.js';
import type { DecidedReview } from '../lifecycle/step/review.js';
import type { LookHint } from '../lifecycle/step/open-step.js';
import type { StepDecisionMessage } from './review.js';
import {
  type ActivityInput,
  type Continued,
  type RecordOutcome,
  type RunSnapshot,
  type StepResult,
  type TimedInput,
  workflowIdOf,
} from './run.js';
import type { Subject } from './subject.js';

/** Names a refund among environments and applications. */
export interface RefundIdentity {
  readonly environment: string;
  readonly application: string;
  /**
   * Ours. Of a refund made elsewhere it follows from the provider's id of it, so that whoever tells of it starts the
   * same run; of a reversal, which has none, from the id of the event that told of it.
   */
  readonly refundId: string;
}

export interface RefundRunInput extends TimedInput {
  readonly identity: RefundIdentity;
  /** What was asked for; or what is to be read back, and nothing of it is believed before. */
  readonly claim: RefundClaim;
  /** Our payment whose money it is, or is said to be. */
  readonly paymentId: string;
  readonly patience: WaitPolicy;
  /** Set when the run continues as new. */
  readonly continued?: Continued<RefundState, RefundMessage | StepDecisionMessage>;
  /** Looks after which the run continues as new; the server's own suggestion counts as well. */
  readonly looksPerRun: number;
}

/** A message to a refund's run; the id makes a repeated delivery harmless. */
export interface RefundMessage {
  readonly id: string;
  readonly event: Extract<RefundEvent, { type: 'refundNotified' }>;
}

export const refundWorkflowType = 'refundWorkflow';

export const refundNotifiedSignal = defineSignal<[RefundMessage]>('refundNotified');

export type RefundSnapshot = RunSnapshot<RefundState>;
export const refundSnapshotQuery = defineQuery<RefundSnapshot>('snapshot');

/** How a refund's run ended. */
export interface RefundOutcome {
  readonly status: RefundStatus;
  readonly amount?: Money;
}

export function refundSubject({ environment, application, refundId }: RefundIdentity): Subject {
  return { environment, application, id: refundId };
}

export function refundWorkflowId(identity: RefundIdentity): string {
  return workflowIdOf(refundSubject(identity));
}

/** The command that asked for a refund; an operator's decisions about it have ids of their own. */
export function refundCommandId(refundId: string): string {
  return `${refundId}:request`;
}

/** What each activity gets: where the refund stands, and what happened since its rows were last written. */
export type RefundStepInput = ActivityInput<RefundIdentity, RefundState>;

export type RefundStepOutcome = StepResult<RefundState, RefundEvent>;

/** Activities of a refund's run. Each writes its rows itself, so that a transition costs one activity. */
export interface RefundActivities {
  /** Sends the request, once. */
  makeRefund(input: RefundStepInput): Promise<RefundStepOutcome>;
  /** Looks up whether a request in doubt was carried out. */
  lookUpRefund(input: RefundStepInput, hint?: LookHint): Promise<RefundStepOutcome>;
  /** Reads the refund, and the capture or sale that it gives back from. */
  observeRefund(input: RefundStepInput): Promise<RefundStepOutcome>;
  /** Holds an operator's decision against what the provider shows, before it is believed. */
  verifyRefundDecision(input: RefundStepInput, decided: DecidedReview): Promise<RefundStepOutcome>;
  /** Writes a transition that needed no call to the provider. */
  recordRefund(input: RefundStepInput): Promise<RecordOutcome<RefundState>>;
}
