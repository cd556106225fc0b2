import { type Application, variantOfShop } from '../applications.js';
import { type DeadlineAim, drawAim } from '../deadline/plan.js';
import type { FaultShare } from '../fault-share.js';
import type { Random } from '../random.js';
import type { Currency } from '../wire-money.js';

/** What the order service or somebody else does with a subscription. */
export type Ending =
  | 'run to its end'
  | 'suspend'
  | 'suspend and reactivate'
  | 'cancel'
  | 'cancelled elsewhere'
  | 'the payer cancels';

/** Equal terms are one plan. */
export interface Terms extends Currency {
  readonly name: string;
  /** In minor units. */
  readonly feeMinor: number;
  readonly cycleMinor: number;
  /** Whether a setup fee that is not paid is owed, or ends the subscription. */
  readonly feeFailure: 'continue' | 'cancel';
}

export interface SubscriptionPlan {
  readonly orderId: string;
  readonly terms: Terms;
  /** Its agreements are active at once, later, or refused later; or their setup fee may not be paid. */
  readonly application: string;
  readonly ending: Ending;
  readonly hasReturningPayer: boolean;
  readonly thinkMs: number;
  readonly repeatsWhatIsDone: boolean;
  /** What happens close to the approval deadline; absent where the payer has time. */
  readonly aim?: DeadlineAim;
}

export const cycles = 3;

/** Days are short, so that a subscription of a few cycles comes to its end. */
const dayLengthMs = 3_000;
const agreementSettleMs = 4_000;
const activeAtOnce = variantOfShop('subscriptions', { dayLengthMs });
const activeLater = variantOfShop('subscriptions-pending', {
  dayLengthMs,
  agreementOutcome: 'pending_then_active',
  agreementSettleMs,
});
const refusedLater = variantOfShop('subscriptions-refused', {
  dayLengthMs,
  agreementOutcome: 'pending_then_cancelled',
  agreementSettleMs,
});
/** Of some payers the bank refuses the setup fee: at once, or when the agreement has been pending. */
const unpaidFees = variantOfShop('subscriptions-unpaid', { dayLengthMs });

export const applicationsOfSubscriptions: readonly Application[] = [
  activeAtOnce,
  activeLater,
  refusedLater,
  unpaidFees,
];

/** The execution that decides at the deadline is held for seconds, in one of two. */
const heldExecutions = variantOfShop('subscriptions-held', { dayLengthMs });
export const applicationsOfDeadlines: readonly Application[] = [activeAtOnce, heldExecutions];
export const faultsOfDeadlines: readonly FaultShare[] = [
  { fault: { kind: 'delay', delayMs: 2_000 } as const, probability: 0.4 },
  { fault: { kind: 'late', executeAfterMs: 900, delayMs: 3_000 } as const, probability: 0.5 },
  { fault: { kind: 'delay', delayMs: 3_500 } as const, probability: 1 },
].map((share) => ({ ...share, operations: ['agreement.execute'], application: heldExecutions.name }));

/** Of their payments one of ten fails, and is collected with the next. */
export const outcomesOfSubscriptions: readonly FaultShare[] = [
  { fault: { kind: 'decline' }, probability: 0.1, operations: ['agreement.cycle'] },
  ...[
    { fault: { kind: 'decline' } as const, probability: 0.4 },
    {
      fault: { kind: 'pending', settlesAs: 'denied', afterMs: agreementSettleMs } as const,
      probability: 0.6,
    },
  ].map((share) => ({ ...share, operations: ['agreement.execute'], application: unpaidFees.name })),
];

const magazine: Terms = {
  name: 'Magazine',
  currency: 'USD',
  exponent: 2,
  feeMinor: 500,
  cycleMinor: 1_099,
  feeFailure: 'continue',
};
const newspaper: Terms = {
  name: 'Newspaper',
  currency: 'JPY',
  exponent: 0,
  feeMinor: 0,
  cycleMinor: 1_200,
  feeFailure: 'continue',
};
const almanac: Terms = {
  name: 'Almanac',
  currency: 'KWD',
  exponent: 3,
  feeMinor: 1_250,
  cycleMinor: 3_005,
  feeFailure: 'cancel',
};

/** In which state the engine shows a subscription in the end, where the provider does not refuse it. */
const plannedStates: Readonly<Record<Ending, string>> = {
  'run to its end': 'expired',
  suspend: 'suspended',
  'suspend and reactivate': 'expired',
  cancel: 'cancelled',
  'cancelled elsewhere': 'cancelled',
  'the payer cancels': 'cancelled',
};

export function drawSubscriptionPlan(random: Random, orderId: string): SubscriptionPlan {
  const terms = random.pick([magazine, newspaper, almanac]);
  const hasFee = terms.feeMinor > 0;
  const { name } = random.weighted([
    [activeAtOnce, 50],
    [activeLater, 20],
    [refusedLater, 10],
    // Without a setup fee the agreement would not come about at all.
    [hasFee ? unpaidFees : activeLater, 20],
  ]);
  return {
    orderId,
    terms,
    application: name,
    ending: random.weighted<Ending>([
      ['run to its end', 40],
      ['suspend', 8],
      ['suspend and reactivate', 20],
      ['cancel', 14],
      ['cancelled elsewhere', 10],
      ['the payer cancels', 8],
    ]),
    hasReturningPayer: random.chance(0.85),
    thinkMs: random.integer(0, 600),
    repeatsWhatIsDone: random.chance(0.25),
  };
}

/** A payer who returns close to the approval deadline; what comes about is cancelled. */
export function drawSubscriptionDeadline(random: Random, orderId: string): SubscriptionPlan {
  const isHeld = random.chance(0.5);
  return {
    orderId,
    terms: random.pick([magazine, newspaper, almanac]),
    application: (isHeld ? heldExecutions : activeAtOnce).name,
    ending: 'cancel',
    hasReturningPayer: true,
    thinkMs: random.integer(0, 600),
    repeatsWhatIsDone: random.chance(0.25),
    aim: drawAim(random, isHeld),
  };
}

/** @param isRefused the provider has cancelled the agreement before it was active. */
export function endOf({ ending }: SubscriptionPlan, isRefused: boolean): string {
  return isRefused ? 'cancelled' : plannedStates[ending];
}

/** The provider may cancel the agreement before it is active: it refuses it, or its setup fee is not paid. */
export function canBeRefused({ application, terms }: SubscriptionPlan): boolean {
  const isUnpaid = application === unpaidFees.name && terms.feeFailure === 'cancel';
  return isUnpaid || application === refusedLater.name;
}
