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

/** Names a refund, its environment and its application. */
export interface RefundIdentity {
  readonly environment: string;
  readonly application: string;
  /**
   * Our id. For a refund made elsewhere it is derived from the provider's id, so that every report of it starts the
   * same run; for a reversal, which has no id, from the id of its event.
   */
  readonly refundId: string;
}

export interface RefundRunInput extends TimedInput {
  readonly identity: RefundIdentity;
  /** Origin of the console; absent in older runs. */
  readonly publicUrl?: string;
  /** The request; or the reported refund, which is not trusted until it was read. */
  readonly claim: RefundClaim;
  /** The refunded payment of ours, or the reported one. */
  readonly paymentId: string;
  readonly patience: WaitPolicy;
  /** Set when the run continues as new. */
  readonly continued?: Continued<RefundState, RefundMessage | StepDecisionMessage>;
  /** The number of reads after which the run continues as new. It also does so when the server suggests it. */
  readonly looksPerRun: number;
}

/** A message to a refund's run; the id makes a repeated message harmless. */
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
  /** Looks up whether a request with an unknown outcome was carried out. */
  lookUpRefund(input: RefundStepInput, hint?: LookHint): Promise<RefundStepOutcome>;
  /** Reads the refund, and the capture or sale that it gives back from. */
  observeRefund(input: RefundStepInput): Promise<RefundStepOutcome>;
  /** Checks an operator's decision against the provider before it takes effect. */
  verifyRefundDecision(input: RefundStepInput, decided: DecidedReview): Promise<RefundStepOutcome>;
  /** Writes a transition that needed no call to the provider. */
  recordRefund(input: RefundStepInput): Promise<RecordOutcome<RefundState>>;
}
