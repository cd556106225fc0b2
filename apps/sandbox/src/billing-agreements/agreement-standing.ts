import type { AgreementRow, AgreementState } from '../database/tables.js';
import {
  cyclesRemaining,
  nextDueAt,
  phaseOf,
  skipUntil,
  type Phase,
  type Progress,
  type Schedule,
} from './billing-schedule.js';

/** One payment of an agreement; amounts in minor units. */
export interface Charge {
  kind: 'setup' | 'cycle' | 'balance';
  /** From 1; null when it is no cycle. */
  cycle: number | null;
  /** The amount that falls due with it. */
  dueMinor: number;
  /** The amount to collect: what falls due, and the part of the outstanding balance that is collected with it. */
  amountMinor: number;
  /** Parts of the amount by name. */
  details: Readonly<Record<string, number>>;
}

/** A pending payment is under way: what it collects is neither outstanding nor paid. */
export type PaymentOutcome = 'completed' | 'pending' | 'failed';

/** What a decision changes in an agreement. */
export type Standing = Pick<
  AgreementRow,
  | 'state'
  | 'outstanding_minor'
  | 'cycles_done'
  | 'trial_slots_skipped'
  | 'regular_slots_skipped'
  | 'failed_payments'
  | 'next_billing_at'
  | 'last_payment_at'
  | 'last_payment_minor'
>;

export function scheduleOf(agreement: Pick<AgreementRow, 'start_at' | 'day_length_ms' | 'terms'>): Schedule {
  const phase = (type: 'TRIAL' | 'REGULAR'): Phase | null => {
    const definition = agreement.terms.definitions.find((one) => one.type === type);
    if (definition === undefined) return null;
    const { frequency, frequencyInterval: interval, cycles } = definition;
    return { frequency, interval, cycles };
  };
  return {
    startAt: agreement.start_at,
    dayLengthMs: agreement.day_length_ms,
    trial: phase('TRIAL'),
    // The rules of plans ensure that there is one.
    regular: phase('REGULAR') ?? { frequency: 'MONTH', interval: 1, cycles: 0 },
  };
}

export function progressOf(agreement: Standing): Progress {
  return {
    cyclesDone: agreement.cycles_done,
    trialSlotsSkipped: agreement.trial_slots_skipped,
    regularSlotsSkipped: agreement.regular_slots_skipped,
  };
}

/**
 * What the next cycle collects: its amount, shipping and tax, and the outstanding balance when the plan bills that too.
 */
export function nextCycle(agreement: AgreementRow): Charge {
  const type = phaseOf(scheduleOf(agreement), agreement.cycles_done);
  const definition = agreement.terms.definitions.find((one) => one.type === type);
  const partOf = (charge: 'SHIPPING' | 'TAX') =>
    definition?.chargeModels.find((one) => one.type === charge)?.amountMinor ?? 0;
  const [subtotal, shipping, tax] = [definition?.amountMinor ?? 0, partOf('SHIPPING'), partOf('TAX')];
  const isAutoBilled = agreement.terms.preferences.autoBillAmount === 'YES';
  const carried = isAutoBilled ? agreement.outstanding_minor : 0;
  const dueMinor = subtotal + shipping + tax;
  return {
    kind: 'cycle',
    cycle: agreement.cycles_done + 1,
    dueMinor,
    amountMinor: dueMinor + carried,
    details: { subtotal: subtotal + carried, ...(shipping > 0 && { shipping }), ...(tax > 0 && { tax }) },
  };
}

/**
 * Whether the books could count what is owed if neither this charge nor anything under way were paid: amounts are safe
 * integers.
 */
export function canBeOwed(agreement: AgreementRow, charge: Charge, underWayMinor: number): boolean {
  return agreement.outstanding_minor + underWayMinor + charge.dueMinor <= Number.MAX_SAFE_INTEGER;
}

/** The fee falls due with the agreement; when its failure cancels the agreement, nothing is owed. */
export function setupFee(agreement: AgreementRow, outcome: PaymentOutcome): Charge {
  const { setupFeeMinor, initialFailAmountAction } = agreement.terms.preferences;
  const isOwed = outcome !== 'failed' || initialFailAmountAction === 'CONTINUE';
  return {
    kind: 'setup',
    cycle: null,
    dueMinor: isOwed ? setupFeeMinor : 0,
    amountMinor: setupFeeMinor,
    details: {},
  };
}

export function outstandingBalance(amountMinor: number): Charge {
  return { kind: 'balance', cycle: null, dueMinor: 0, amountMinor, details: {} };
}

/**
 * The agreement after a payment was tried. A cycle is over whether it was paid or not: an unpaid one stays in the
 * outstanding balance. The last one ends the agreement; too many consecutive failures suspend it.
 */
export function afterPayment(
  agreement: AgreementRow,
  charge: Charge,
  outcome: PaymentOutcome,
  now: Date,
): Standing {
  const collected = outcome === 'failed' ? 0 : charge.amountMinor;
  // The plan says what follows from a failed setup fee: that failure counts for nothing else.
  const isSetupFailure = charge.kind === 'setup' && outcome === 'failed';
  const moved: AgreementRow = {
    ...agreement,
    outstanding_minor: agreement.outstanding_minor + charge.dueMinor - collected,
    cycles_done: agreement.cycles_done + (charge.kind === 'cycle' ? 1 : 0),
    ...(isSetupFailure ? {} : countFailure(agreement, outcome, charge.amountMinor, now)),
  };
  const isOver = moved.state === 'Active' && cyclesRemaining(scheduleOf(moved), progressOf(moved)) === 0;
  if (isOver) return withNextBilling(moved, 'Expired');
  return withNextBilling(moved, isSetupFailure ? moved.state : stateAfter(moved, outcome));
}

/** The agreement after a pending payment has ended: money that did not come is outstanding again. */
export function afterCompletion(
  agreement: AgreementRow,
  amountMinor: number,
  outcome: 'completed' | 'failed',
  now: Date,
): Standing {
  const moved: AgreementRow = {
    ...agreement,
    outstanding_minor: agreement.outstanding_minor + (outcome === 'failed' ? amountMinor : 0),
    ...countFailure(agreement, outcome, amountMinor, now),
  };
  return withNextBilling(moved, stateAfter(moved, outcome));
}

/** Cycles whose dates passed during a suspension are postponed, not billed and not lost. */
export function reactivated(agreement: AgreementRow, now: Date): Standing {
  const progress = skipUntil(scheduleOf(agreement), progressOf(agreement), now);
  return withNextBilling(
    {
      ...agreement,
      trial_slots_skipped: progress.trialSlotsSkipped,
      regular_slots_skipped: progress.regularSlotsSkipped,
    },
    'Active',
  );
}

/** The agreement in another state; it is billed only while it is active. */
export function withNextBilling(agreement: AgreementRow, state: AgreementState | null): Standing {
  const isBilled = state === 'Active' || state === 'Pending';
  return {
    state,
    outstanding_minor: agreement.outstanding_minor,
    cycles_done: agreement.cycles_done,
    trial_slots_skipped: agreement.trial_slots_skipped,
    regular_slots_skipped: agreement.regular_slots_skipped,
    failed_payments: agreement.failed_payments,
    next_billing_at: isBilled ? nextDueAt(scheduleOf(agreement), progressOf(agreement)) : null,
    last_payment_at: agreement.last_payment_at,
    last_payment_minor: agreement.last_payment_minor,
  };
}

/** Counts consecutive failures; a payment that moved money resets the count. */
function countFailure(agreement: AgreementRow, outcome: PaymentOutcome, amountMinor: number, now: Date) {
  const { failed_payments, last_payment_at, last_payment_minor } = agreement;
  if (outcome === 'failed') {
    return { failed_payments: failed_payments + 1, last_payment_at, last_payment_minor };
  }
  if (outcome === 'pending' || amountMinor === 0) {
    return { failed_payments, last_payment_at, last_payment_minor };
  }
  return { failed_payments: 0, last_payment_at: now, last_payment_minor: amountMinor };
}

function stateAfter(agreement: AgreementRow, outcome: PaymentOutcome): AgreementState | null {
  const { maxFailAttempts } = agreement.terms.preferences;
  const isTooMuch = maxFailAttempts > 0 && agreement.failed_payments >= maxFailAttempts;
  return agreement.state === 'Active' && outcome === 'failed' && isTooMuch ? 'Suspended' : agreement.state;
}
