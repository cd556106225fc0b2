import { defineQuery, defineSignal } from '@temporalio/workflow';
import type {
  ObserveEffect,
  PayoutEvent,
  PayoutOrder,
  PayoutState,
  PayoutStatus,
} from '../lifecycle/payout/payout.js';
import type { Position } from '../lifecycle/progress.js';
import type { ItemTotals } from '../lifecycle/payout/totals.js';
import type { DecidedReview } from '../lifecycle/step/review.js';
import type { LookHint } from '../lifecycle/step/open-step.js';
import type { StepDecisionMessage } from './review.js';
import type { ActivityInput, AfterEndInput, RecordOutcome, RunSnapshot, StepResult } from './run.js';
import type { Subject } from './subject.js';

/** Names a payout, its environment and its application. */
export interface PayoutIdentity {
  readonly environment: string;
  readonly application: string;
  readonly payoutId: string;
}

/** Neither the input nor the state contains items: there may be thousands, and they are in rows. */
export interface PayoutRunInput extends AfterEndInput<PayoutState, PayoutMessage | StepDecisionMessage> {
  readonly identity: PayoutIdentity;
  /** Origin of the console; absent in older runs. */
  readonly publicUrl?: string;
  readonly order: PayoutOrder;
  /** The number of messages after which the run continues as new. It also does so when the server suggests it. */
  readonly messagesPerRun: number;
}

/** A message to a payout's run; the id makes a repeated message harmless. */
export interface PayoutMessage {
  readonly id: string;
  readonly event: PayoutRunEvent;
}

export type PayoutRunEvent = Extract<PayoutEvent, { type: 'itemCancelRequested' | 'providerNotified' }>;

export const payoutWorkflowType = 'payoutWorkflow';

/** One signal per kind of event, so that the history reads like the timeline. */
export const payoutSignals = {
  itemCancelRequested: defineSignal<[PayoutMessage]>('itemCancelRequested'),
  providerNotified: defineSignal<[PayoutMessage]>('providerNotified'),
} as const satisfies Record<PayoutRunEvent['type'], unknown>;

export type PayoutSnapshot = RunSnapshot<PayoutState>;
export const payoutSnapshotQuery = defineQuery<PayoutSnapshot>('snapshot');

/** How a payout's run ended. */
export interface PayoutOutcome {
  readonly status: PayoutStatus;
  readonly currency: string;
  readonly totals: ItemTotals;
}

export function payoutSubject({ environment, application, payoutId }: PayoutIdentity): Subject {
  return { environment, application, id: payoutId };
}

/** The command that ordered a payout; the others have ids of their own. */
export function payoutOrderCommandId(payoutId: string): string {
  return `${payoutId}:order`;
}

/** The input of each activity: the payout's state, and the timeline since the rows were last written. */
export type PayoutStepInput = ActivityInput<PayoutIdentity, PayoutState>;

export type PayoutStepOutcome = StepResult<PayoutState, PayoutEvent>;

/** Activities of a payout's run. Each writes its rows itself, so that a transition costs one activity. */
export interface PayoutActivities {
  /** Reads the state of an ended payout from its rows. */
  findEndedPayout(identity: PayoutIdentity): Promise<Position<PayoutState>>;
  /** Reads the items from their rows and sends them in one call. */
  createPayout(input: PayoutStepInput): Promise<PayoutStepOutcome>;
  cancelPayoutItem(input: PayoutStepInput): Promise<PayoutStepOutcome>;
  /** Looks up whether the cancellation of an item was carried out. */
  lookUpCancellation(input: PayoutStepInput, hint?: LookHint): Promise<PayoutStepOutcome>;
  /** Reads the batch and, once the provider has processed it, writes its items to their rows. */
  observePayout(input: PayoutStepInput, items: ObserveEffect['items']): Promise<PayoutStepOutcome>;
  /** Checks an operator's decision against the provider before it takes effect. */
  verifyPayoutDecision(input: PayoutStepInput, decided: DecidedReview): Promise<PayoutStepOutcome>;
  /** Writes a transition that needed no call to the provider. */
  recordPayout(input: PayoutStepInput): Promise<RecordOutcome<PayoutState>>;
}
