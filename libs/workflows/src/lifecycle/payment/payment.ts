import type { Instant, WaitPolicy } from '../lifecycle.js';
import type { Authorization, HonourPolicy, HonourStage, ReauthorizeStep, Reauthorizations } from './hold.js';
import type { Money } from '../money.js';
import { type OpenStep as OpenStepOf, runningStep } from '../step/open-step.js';
import type { DecidedReview as DecidedReviewOf } from '../step/review.js';

/** Where a payment stands. docs/lifecycles/payment.md draws how one leads to another. */
export const paymentStatuses = [
  'creating',
  'awaiting_approval',
  'authorizing',
  'authorized',
  'capturing',
  'partially_captured',
  'reauthorizing',
  'captured',
  'voiding',
  'voided',
  'executing',
  'pending',
  'completed',
  'declined',
  'cancelled',
  'expired',
  'needs_review',
] as const;
export type PaymentStatus = (typeof paymentStatuses)[number];

const terminalStatuses: ReadonlySet<PaymentStatus> = new Set([
  'captured',
  'voided',
  'completed',
  'declined',
  'cancelled',
  'expired',
]);

export function isTerminal(status: PaymentStatus): boolean {
  return terminalStatuses.has(status);
}

/** Hold the funds and capture them later, or take them at once (specification 1). */
export const paymentIntents = ['authorize', 'sale'] as const;
export type PaymentIntent = (typeof paymentIntents)[number];

export type CapturePolicy =
  | { readonly mode: 'manual' }
  | { readonly mode: 'automatic' }
  | { readonly mode: 'at'; readonly at: Instant };

/** What becomes of a hold that nobody captured when its window is about to close. */
export interface ExpiryPolicy {
  readonly action: 'void' | 'capture' | 'expire';
}

/** What the order service asked for: fixed for the life of the payment. */
export interface PaymentOrder {
  /** Our id of the payment: the reference under which a lost creation is found again. */
  readonly paymentId: string;
  /** Absent: authorize, as every order was before there were sales. */
  readonly intent?: PaymentIntent;
  readonly amount: Money;
  readonly capturePolicy: CapturePolicy;
  readonly expiryPolicy: ExpiryPolicy;
  /** Absent: the usual one (hold.ts). */
  readonly honourPolicy?: HonourPolicy;
  readonly approvalBy: Instant;
  readonly patience: WaitPolicy;
}

export function isSale({ intent }: Pick<PaymentOrder, 'intent'>): boolean {
  return intent === 'sale';
}

export type CaptureStatus = 'pending' | 'completed' | 'denied';

export interface Capture {
  readonly captureId: string;
  /** Absent for a capture made elsewhere (provider dashboard) and adopted. */
  readonly commandId?: string;
  /** The hold that it was made of; absent while there has been but one. */
  readonly authorizationId?: string;
  readonly minor: number;
  readonly status: CaptureStatus;
  readonly final: boolean;
  /** An operator has told of it and its id, and the provider has not shown it yet. */
  readonly isOnWord?: boolean;
}

/** Money that the provider takes at once, with no hold before it. */
export interface Sale {
  readonly saleId: string;
  readonly minor: number;
  readonly status: CaptureStatus;
}

export type { Authorization } from './hold.js';

/** How a hold ended, and what had been captured of it by then. */
export interface EndedHold {
  readonly state: 'voided' | 'expired';
  readonly captures: readonly Capture[];
}

/** What a provider read shows, reduced to what the lifecycle decides on. */
export interface ProviderFacts {
  readonly paymentState: string;
  readonly payerId?: string;
  readonly authorization?: Authorization & {
    readonly state: string;
    /**
     * Of its last change, by the provider's clock. Reads from before renewals under one id were followed do not have
     * it, so that they are decided on as they were.
     */
    readonly changedAt?: Instant;
  };
  readonly sale?: Sale;
  /** With the command of ours that sent the reference, if any. */
  readonly captures: readonly (Capture & { readonly reference?: string })[];
}

export const reviewDecisions = ['happened', 'did_not_happen', 'void', 'keep'] as const;
export type ReviewDecision = (typeof reviewDecisions)[number];

/** What an operator has decided about a payment under review. */
export type DecidedReview = DecidedReviewOf<ReviewDecision>;

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
  | {
      readonly type: 'voidAuthorization';
      readonly commandId: string;
      /** What was asked for is that the rest be given back, after a part was captured. */
      readonly isRelease?: boolean;
    }
  | ReauthorizeStep;

/** A money step that is not finished. */
export type OpenStep = OpenStepOf<MoneyStep>;

export type Warning = 'honour_period_ending' | 'honour_period_ended' | 'capture_window_ending';

export interface PaymentState {
  readonly status: PaymentStatus;
  readonly order: PaymentOrder;
  readonly providerPaymentId?: string;
  readonly approvalUrl?: string;
  readonly approvalToken?: string;
  readonly authorization?: Authorization;
  readonly sale?: Sale;
  readonly captures: readonly Capture[];
  readonly openStep?: OpenStep;
  readonly stepsBegun: number;
  readonly warning?: Warning;
  /** Absent: what the warning tells, for a warning was once all there is. */
  readonly honourStage?: HonourStage;
  /** The honour policy's capture acts once for each hold. */
  readonly honourCaptureTried?: boolean;
  readonly reauthorizations?: Reauthorizations;
  /** True once the uncaptured rest is given back to the payer. */
  readonly released: boolean;
  /** Why the payment stands where it stands, in words for an operator. */
  readonly reason?: string;
  /** What the provider has shown last against what is known; recorded once. */
  readonly contradiction?: string;
  /** The order's own capture (automatic, or at a time) and expiry policy each act once. */
  readonly orderedCaptureTried: boolean;
  readonly settlementTried: boolean;
  /** The window's end has passed and the provider is being asked what became of the hold. */
  readonly lapsed: boolean;
  /** An operator keeps a hold, or a sale, of another amount than was ordered. */
  readonly isHeldAmountAccepted?: boolean;
  /** True while a read that was called for has failed: the hint that called for it is not forgotten. */
  readonly readOwed: boolean;
  readonly polls: number;
  readonly lastPollAt: Instant;
}

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
