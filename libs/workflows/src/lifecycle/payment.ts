import type { Money } from './money.js';

/** Where a payment stands. The diagram in README.md shows how one leads to another. */
export const paymentStatuses = [
  'creating',
  'awaiting_approval',
  'authorizing',
  'authorized',
  'capturing',
  'partially_captured',
  'captured',
  'voiding',
  'voided',
  'declined',
  'cancelled',
  'expired',
  'needs_review',
] as const;
export type PaymentStatus = (typeof paymentStatuses)[number];

const terminalStatuses: ReadonlySet<PaymentStatus> = new Set([
  'captured',
  'voided',
  'declined',
  'cancelled',
  'expired',
]);

export function isTerminal(status: PaymentStatus): boolean {
  return terminalStatuses.has(status);
}

/** A wall-clock instant: milliseconds since the epoch. */
export type Instant = number;

export type CapturePolicy =
  | { readonly mode: 'manual' }
  | { readonly mode: 'automatic' }
  | { readonly mode: 'at'; readonly at: Instant };

/** What becomes of a hold that nobody captured when its window is about to close. */
export interface ExpiryPolicy {
  readonly action: 'void' | 'capture' | 'expire';
}

/** How patiently an unknown outcome is looked up, a failed call repeated and a silent provider polled. */
export interface Patience {
  /** Longer than the provider may execute late plus its reads may lag: absence proves nothing before. */
  readonly outcomeHorizonMs: number;
  /** The first look, repeat or poll; each next one waits twice as long. */
  readonly firstLookMs: number;
  readonly firstRetryMs: number;
  readonly firstPollMs: number;
  readonly longestPollMs: number;
  /** POSTs of one step, each proved undone before the next. */
  readonly maxAttempts: number;
  /** How long a doubt may last before a person is asked. */
  readonly reviewAfterMs: number;
}

/** What the order service asked for: fixed for the life of the payment. */
export interface PaymentOrder {
  /** Our id of the payment: the reference under which a lost creation is found again. */
  readonly paymentId: string;
  readonly amount: Money;
  readonly capturePolicy: CapturePolicy;
  readonly expiryPolicy: ExpiryPolicy;
  readonly approvalBy: Instant;
  readonly patience: Patience;
}

export type CaptureStatus = 'pending' | 'completed' | 'denied';

export interface Capture {
  readonly captureId: string;
  /** Absent for a capture made elsewhere (provider dashboard) and adopted. */
  readonly commandId?: string;
  readonly minor: number;
  readonly status: CaptureStatus;
  readonly final: boolean;
  /** An operator has told of it and its id, and the provider has not shown it yet. */
  readonly isOnWord?: boolean;
}

export interface Authorization {
  readonly authorizationId: string;
  readonly minor: number;
  readonly createdAt: Instant;
  /** The capture window's end as the provider states it (2.4 valid_until). */
  readonly validUntil: Instant;
}

/** How a hold ended, and what had been captured of it by then. */
export interface EndedHold {
  readonly state: 'voided' | 'expired';
  readonly captures: readonly Capture[];
}

/** What a provider read shows, reduced to what the lifecycle decides on. */
export interface ProviderFacts {
  readonly paymentState: string;
  readonly payerId?: string;
  readonly authorization?: Authorization & { readonly state: string };
  /** With the command of ours that sent the reference, if any. */
  readonly captures: readonly (Capture & { readonly reference?: string })[];
}

export const reviewDecisions = ['happened', 'did_not_happen', 'void', 'keep'] as const;
export type ReviewDecision = (typeof reviewDecisions)[number];

/** What an operator has decided about a payment under review. */
export interface DecidedReview {
  readonly commandId: string;
  readonly decision: ReviewDecision;
  readonly reason: string;
  /** The provider's id of what the step made: of the payment, or of the capture. */
  readonly resourceId?: string;
  /** Where the provider cannot be read, the operator's word stands for it. */
  readonly isUnverified?: boolean;
}

/** A call to the provider that can move money. */
export type MoneyStep =
  | { readonly type: 'createPayment' }
  | { readonly type: 'executePayment'; readonly payerId: string }
  | {
      readonly type: 'captureAuthorization';
      readonly commandId: string;
      readonly minor: number;
      readonly final: boolean;
    }
  | { readonly type: 'voidAuthorization'; readonly commandId: string };

/** A money step that is not finished: either to be repeated (proved undone) or in doubt (to be looked up). */
export interface OpenStep {
  /** Counts the steps of this payment. */
  readonly number: number;
  readonly step: MoneyStep;
  readonly phase: 'running' | 'retry' | 'doubt';
  /** POSTs proved undone so far. */
  readonly attempts: number;
  readonly looks: number;
  readonly since: Instant;
  /** In doubt: from this instant on, absence at the provider is proof. */
  readonly horizonAt: Instant;
  readonly nextAt: Instant;
}

export type Warning = 'honour_period_ending' | 'honour_period_ended' | 'capture_window_ending';

export interface PaymentState {
  readonly status: PaymentStatus;
  readonly order: PaymentOrder;
  readonly providerPaymentId?: string;
  readonly approvalUrl?: string;
  readonly approvalToken?: string;
  readonly authorization?: Authorization;
  readonly captures: readonly Capture[];
  readonly openStep?: OpenStep;
  readonly stepsBegun: number;
  readonly warning?: Warning;
  /** True once the uncaptured rest is given back to the payer. */
  readonly released: boolean;
  /** Why the payment stands where it stands, in words for an operator. */
  readonly reason?: string;
  /** The order's own capture (automatic, or at a time) and expiry policy each act once. */
  readonly orderedCaptureTried: boolean;
  readonly settlementTried: boolean;
  /** The window's end has passed and the provider is being asked what became of the hold. */
  readonly lapsed: boolean;
  /** An operator keeps a hold of another amount than was ordered. */
  readonly isHeldAmountAccepted?: boolean;
  /** True while a read that was called for has failed: the hint that called for it is not forgotten. */
  readonly readOwed: boolean;
  readonly polls: number;
  readonly lastPollAt: Instant;
}

/** Every fact, message and instant that can move a payment. Names are past tense: they have happened. */
export type PaymentEvent =
  // What the provider answered
  | {
      readonly type: 'paymentCreated';
      readonly providerPaymentId: string;
      readonly approvalUrl: string;
      readonly approvalToken?: string;
    }
  | {
      readonly type: 'authorizationGranted';
      readonly providerPaymentId: string;
      readonly authorization: Authorization;
      /** It was held, and by the time that it was looked up somebody else or the clock had ended it. */
      readonly ended?: EndedHold;
    }
  | { readonly type: 'stepDeclined'; readonly reason: string }
  | { readonly type: 'approvalFoundMissing' }
  | { readonly type: 'captureAnswered'; readonly capture: Capture }
  | { readonly type: 'voidConfirmed' }
  | { readonly type: 'stepDeferred'; readonly retryAt: Instant }
  | {
      readonly type: 'outcomeUnknown';
      readonly horizonAt: Instant;
      /** Why a repeat was refused: it stands only if the attempts before it have left nothing. */
      readonly refusal?: string;
    }
  | { readonly type: 'stepProvedUndone' }
  | { readonly type: 'lookInconclusive' }
  | { readonly type: 'providerObserved'; readonly facts: ProviderFacts }
  | { readonly type: 'observationFailed' }
  // What became of an operator's decision when it was held against the provider
  | {
      readonly type: 'decisionRefused';
      readonly commandId: string;
      readonly code: DecisionRefusal;
      readonly reason: string;
    }
  | { readonly type: 'stepDecidedUndone'; readonly reason: string }
  // What people and services asked
  | { readonly type: 'payerApproved'; readonly payerId: string }
  | { readonly type: 'payerCancelled' }
  | {
      readonly type: 'captureRequested';
      readonly commandId: string;
      readonly minor?: number;
      readonly final?: boolean;
    }
  | { readonly type: 'voidRequested'; readonly commandId: string }
  | ({ readonly type: 'reviewDecided' } & DecidedReview)
  | { readonly type: 'providerNotified'; readonly eventType: string }
  // What the clock says
  | { readonly type: 'approvalTimedOut' }
  | { readonly type: 'captureCameDue' }
  | { readonly type: 'honourPeriodNearedEnd' }
  | { readonly type: 'honourPeriodEnded' }
  | { readonly type: 'captureWindowNearedEnd' }
  | { readonly type: 'settlementCameDue' }
  | { readonly type: 'authorizationLapsed' }
  | { readonly type: 'stepCameDue' }
  | { readonly type: 'pollCameDue' };

export type PaymentEventType = PaymentEvent['type'];

/** What the glue must do next. */
export type Effect =
  | { readonly type: 'perform'; readonly step: MoneyStep }
  | { readonly type: 'lookUp'; readonly step: MoneyStep; readonly horizonAt: Instant }
  | { readonly type: 'observe' }
  | { readonly type: 'verifyDecision'; readonly decided: DecidedReview };

/**
 * Why a decision is not taken: the provider shows the contrary, cannot be read, or may still carry the step out.
 */
export type DecisionRefusal = 'contradicted_by_provider' | 'cannot_be_verified' | 'too_early';

export interface Refusal {
  readonly code: 'not_allowed_in_state' | 'amount_exceeds_capturable' | 'provider_refused' | DecisionRefusal;
  readonly reason: string;
}

/** How an event was taken: it changed the state, told nothing new, was not allowed, or contradicts the records. */
export type Decision =
  | { readonly kind: 'moved'; readonly state: PaymentState; readonly effect?: Effect }
  | { readonly kind: 'stale'; readonly state: PaymentState }
  | { readonly kind: 'refused'; readonly state: PaymentState; readonly refusal: Refusal }
  | { readonly kind: 'conflict'; readonly state: PaymentState; readonly reason: string };

/** The state of a payment that has just been ordered: its creation at the provider is the first step. */
export function orderedPayment(order: PaymentOrder, now: Instant): PaymentState {
  return {
    status: 'creating',
    order,
    captures: [],
    openStep: runningStep(1, { type: 'createPayment' }, now),
    stepsBegun: 1,
    released: false,
    orderedCaptureTried: false,
    settlementTried: false,
    lapsed: false,
    readOwed: false,
    polls: 0,
    lastPollAt: now,
  };
}

export function runningStep(number: number, step: MoneyStep, now: Instant): OpenStep {
  return { number, step, phase: 'running', attempts: 0, looks: 0, since: now, horizonAt: now, nextAt: now };
}
