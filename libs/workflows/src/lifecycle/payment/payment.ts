import type { Instant, WaitPolicy } from '../lifecycle.js';
import type { Authorization, HonourPolicy, HonourStage, ReauthorizeStep, Reauthorizations } from './hold.js';
import type { Money } from '../money.js';
import type { AmountDetails } from './amount-details.js';
import { type OpenStep as OpenStepOf, runningStep } from '../step/open-step.js';
import type { DecidedReview as DecidedReviewOf } from '../step/review.js';

/** The statuses of a payment. docs/lifecycles/payment.md shows the transitions. */
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

/** What to do with an uncaptured hold shortly before its window ends. */
export interface ExpiryPolicy {
  readonly action: 'void' | 'capture' | 'expire';
}

/** The order, which never changes. */
export interface PaymentOrder {
  /** Our id of the payment: the reference by which a lost creation is found. */
  readonly paymentId: string;
  /** Absent in orders from before sales: `authorize`. */
  readonly intent?: PaymentIntent;
  readonly amount: Money;
  /** Absent if the order does not divide its amount. */
  readonly amountDetails?: AmountDetails;
  /** True for an order with a shipping address or a note: they stand encrypted in its row until the provider has them. */
  readonly hasLetters?: true;
  readonly capturePolicy: CapturePolicy;
  readonly expiryPolicy: ExpiryPolicy;
  /** Absent: the default (hold.ts). */
  readonly honourPolicy?: HonourPolicy;
  /**
   * True if what a pending capture leaves of the hold is still held: policies and requests act on it. Absent in older
   * orders: nothing acts on it until the capture is final.
   */
  readonly holdsRest?: true;
  /** True if news that comes during a step is read when the step is over. Absent in older orders: it is used up. */
  readonly remembersNews?: true;
  /** True if an execution that is put off, so that nothing was sent, can be cancelled. Absent in older orders. */
  readonly endsUnsent?: true;
  /**
   * The edition of the rules that it was ordered with; absent in older orders. From 2 on: a policy's reauthorization that
   * was refused for good is not tried again because a caller's is put off; the provider is read after a reauthorization;
   * a policy's capture that is put off gives way to a void, and to the hold's warnings and expiry policy; and a payer's
   * cancellation during an execution, or its review, is kept until it is known whether the payment was executed.
   */
  readonly rules?: 2;
  readonly approvalBy: Instant;
  readonly patience: WaitPolicy;
}

/** The rules that every new order has, and older ones do not: their runs go on as they began. */
export function rulesOfNewOrders(
  order: Pick<PaymentOrder, 'intent'>,
): Pick<PaymentOrder, 'holdsRest' | 'remembersNews' | 'endsUnsent' | 'rules'> {
  return {
    ...(!isSale(order) && { holdsRest: true, remembersNews: true }),
    endsUnsent: true,
    rules: 2,
  };
}

export function isSale({ intent }: Pick<PaymentOrder, 'intent'>): boolean {
  return intent === 'sale';
}

export type CaptureStatus = 'pending' | 'completed' | 'denied';

export interface Capture {
  readonly captureId: string;
  /** Absent for a capture made elsewhere (provider dashboard) and adopted. */
  readonly commandId?: string;
  /** The captured authorization; absent while the payment has had only one. */
  readonly authorizationId?: string;
  readonly minor: number;
  readonly status: CaptureStatus;
  readonly final: boolean;
  /** An operator has named it, and the provider has not shown it yet. */
  readonly isOnWord?: boolean;
}

/** Money that the provider takes at once, with no hold before it. */
export interface Sale {
  readonly saleId: string;
  readonly minor: number;
  readonly status: CaptureStatus;
}

export type { Authorization } from './hold.js';

/** How a hold ended, and its captures. */
export interface EndedHold {
  readonly state: 'voided' | 'expired';
  readonly captures: readonly Capture[];
}

/** The ends of a hold that leave nothing to be captured. */
export type HoldEnd = EndedHold['state'] | 'denied';

/** A read of the provider, reduced to the facts that the lifecycle uses. */
export interface ProviderFacts {
  readonly paymentState: string;
  readonly payerId?: string;
  readonly authorization?: Authorization & {
    readonly state: string;
    /**
     * The last change, by the provider's clock. Older recorded reads do not have it, so that replays decide on them as
     * before.
     */
    readonly changedAt?: Instant;
  };
  readonly sale?: Sale;
  /** With our command that sent the reference, if any. */
  readonly captures: readonly (Capture & { readonly reference?: string })[];
}

export const reviewDecisions = ['happened', 'did_not_happen', 'void', 'keep'] as const;
export type ReviewDecision = (typeof reviewDecisions)[number];

/** An operator's decision about a payment. */
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
      /** True for a release: the request was to release the rest after a partial capture. */
      readonly isRelease?: boolean;
    }
  | ReauthorizeStep;

/** A step whose outcome is not known yet. */
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
  /** Absent in older states: the warning shows the stage. */
  readonly honourStage?: HonourStage;
  /** True once the honour policy has tried its capture of the current hold. */
  readonly honourCaptureTried?: boolean;
  readonly reauthorizations?: Reauthorizations;
  /** How the hold has ended, while a capture of it is still pending. Absent in orders without `holdsRest`. */
  readonly holdEnd?: HoldEnd;
  /** True once the uncaptured rest was released to the payer. */
  readonly released: boolean;
  /** Why the payment is in its state, in words for an operator. */
  readonly reason?: string;
  /** The latest contradiction between the provider and our records; recorded once. */
  readonly contradiction?: string;
  /** The order's capture policy and its expiry policy each act once. */
  readonly orderedCaptureTried: boolean;
  readonly settlementTried: boolean;
  /** The window (or the time for approval) is over and the provider is being asked. */
  readonly lapsed: boolean;
  /** An operator has decided to keep a hold or sale of another amount than ordered. */
  readonly isHeldAmountAccepted?: boolean;
  /** The payer cancelled during the execution: what it has not done is not tried again. */
  readonly isCancelWaiting?: true;
  /** True after a requested read has failed, and after news during a step: a read is still due. */
  readonly readOwed: boolean;
  /** The instant of a confirming read: by then reads show what a webhook has reported. */
  readonly confirmAt?: Instant;
  readonly polls: number;
  readonly lastPollAt: Instant;
}

/** The first state of an ordered payment: its first step is the creation at the provider. */
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
