import { defineQuery, defineSignal } from '@temporalio/workflow';
import type { Instant } from '../lifecycle/lifecycle.js';
import type { Money } from '../lifecycle/money.js';
import type { RefundClaim, RefundEvent, RefundState, RefundStatus } from '../lifecycle/refund/refund.js';

/** Names a refund among environments and applications. */
export interface RefundIdentity {
  readonly environment: string;
  readonly application: string;
  /**
   * Of a refund made elsewhere, the provider's own id of it, so that whoever tells of it starts the same run; of a
   * reversal, which has none, the id of the event that told of it.
   */
  readonly refundId: string;
}

export interface RefundRunInput {
  readonly identity: RefundIdentity;
  /** What is to be read back; nothing of it is believed before. */
  readonly claim: RefundClaim;
  /** Our payment whose money it is said to be. */
  readonly paymentId: string;
  readonly patience: RefundState['patience'];
  /** Set when the run continues as new. */
  readonly continued?: {
    readonly state: RefundState;
    readonly version: number;
    readonly seen: readonly string[];
    readonly waiting: readonly RefundMessage[];
  };
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

export interface RefundSnapshot {
  readonly state: RefundState;
  readonly version: number;
  readonly nextLookAt?: Instant;
}
export const refundSnapshotQuery = defineQuery<RefundSnapshot>('snapshot');

/** How a refund's run ended. */
export interface RefundOutcome {
  readonly status: RefundStatus;
  readonly amount?: Money;
}

export function refundWorkflowId({ environment, application, refundId }: RefundIdentity): string {
  return `refund/${environment}/${application}/${refundId}`;
}

export interface RefundStepInput {
  readonly identity: RefundIdentity;
  readonly state: RefundState;
  readonly version: number;
}

export interface RefundStepOutcome {
  readonly event: RefundEvent;
  readonly at: Instant;
}

/** Activities of a refund's run. Each writes its rows itself, so that a transition costs one activity. */
export interface RefundActivities {
  /** Reads the refund, and the capture or sale that it gives back from. */
  observeRefund(input: RefundStepInput): Promise<RefundStepOutcome>;
}
