import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  afterPayment,
  afterCompletion,
  nextCycle,
  reactivated,
  type PaymentOutcome,
} from '#sandbox/billing-agreements/agreement-standing.js';
import type { AgreementRow } from '#sandbox/database/tables.js';

const START = new Date('2027-01-31T00:00:00Z');

interface Plan {
  cycles: number;
  maxFailAttempts: number;
  autoBillAmount: 'YES' | 'NO';
  tax: number;
}

function agreementOn(plan: Plan): AgreementRow {
  return {
    token: 'EC-1',
    id: 'I-1',
    client_id: 'shop',
    plan_id: 'P-1',
    terms: {
      name: 'Plan',
      description: 'Plan',
      type: plan.cycles === 0 ? 'INFINITE' : 'FIXED',
      currency: 'USD',
      definitions: [
        {
          id: 'PD-1',
          name: 'Regular',
          type: 'REGULAR',
          frequency: 'MONTH',
          frequencyInterval: 1,
          cycles: plan.cycles,
          amountMinor: 1_000,
          chargeModels: [{ id: 'CHM-1', type: 'TAX', amountMinor: plan.tax }],
        },
      ],
      preferences: {
        setupFeeMinor: 0,
        returnUrl: '',
        cancelUrl: '',
        autoBillAmount: plan.autoBillAmount,
        initialFailAmountAction: 'CONTINUE',
        maxFailAttempts: plan.maxFailAttempts,
      },
    },
    state: 'Active',
    name: 'Agreement',
    description: 'Agreement',
    start_at: START,
    payment_method: 'paypal',
    shipping_address: null,
    payer_id: 'PAYER',
    payer_info: null,
    payer_approved_at: START,
    payee_id: 'PAYEE',
    day_length_ms: 86_400_000,
    outstanding_minor: 0,
    cycles_done: 0,
    trial_slots_skipped: 0,
    regular_slots_skipped: 0,
    failed_payments: 0,
    next_billing_at: START,
    last_payment_at: null,
    last_payment_minor: null,
    settles_at: null,
    settles_as: null,
    expires_at: START,
    created_at: START,
    updated_at: START,
  };
}

const anyPlan = fc.record<Plan>({
  cycles: fc.integer({ min: 0, max: 12 }),
  maxFailAttempts: fc.integer({ min: 0, max: 3 }),
  autoBillAmount: fc.constantFrom('YES', 'NO'),
  tax: fc.integer({ min: 0, max: 500 }),
});
const outcomes = fc.array(fc.constantFrom<PaymentOutcome>('completed', 'failed', 'pending'), {
  maxLength: 30,
});

describe('an agreement, whatever happens to its payments', () => {
  test('owes what fell due and is neither paid nor under way', () => {
    fc.assert(
      fc.property(anyPlan, outcomes, (plan, sequence) => {
        let agreement = agreementOn(plan);
        let [due, paid] = [0, 0];
        const underWay: number[] = [];
        for (const outcome of sequence) {
          if (agreement.state !== 'Active') break;
          const charge = nextCycle(agreement);
          const parts = Object.values(charge.details).reduce((sum, part) => sum + part, 0);
          expect(parts).toBe(charge.amountMinor);
          expect(charge.cycle).toBe(agreement.cycles_done + 1);
          agreement = { ...agreement, ...afterPayment(agreement, charge, outcome, START) };
          due += charge.dueMinor;
          if (outcome === 'completed') paid += charge.amountMinor;
          if (outcome === 'pending') underWay.push(charge.amountMinor);
          const moving = underWay.reduce((sum, amount) => sum + amount, 0);
          expect(agreement.outstanding_minor).toBe(due - paid - moving);
          expect(agreement.outstanding_minor).toBeGreaterThanOrEqual(0);
        }
        for (const amount of underWay) {
          agreement = { ...agreement, ...afterCompletion(agreement, amount, 'failed', START) };
        }
        expect(agreement.outstanding_minor).toBe(due - paid);
      }),
    );
  });

  test('is suspended after the consecutive failures that its plan allows, and expires with its last cycle', () => {
    fc.assert(
      fc.property(anyPlan, outcomes, (plan, sequence) => {
        let agreement = agreementOn(plan);
        let inARow = 0;
        for (const outcome of sequence) {
          if (agreement.state !== 'Active') break;
          agreement = { ...agreement, ...afterPayment(agreement, nextCycle(agreement), outcome, START) };
          if (outcome !== 'pending') inARow = outcome === 'failed' ? inARow + 1 : 0;
          expect(agreement.failed_payments).toBe(inARow);
          const isLast = plan.cycles > 0 && agreement.cycles_done === plan.cycles;
          const isTooMuch =
            outcome === 'failed' && plan.maxFailAttempts > 0 && inARow >= plan.maxFailAttempts;
          expect(agreement.state).toBe(isLast ? 'Expired' : isTooMuch ? 'Suspended' : 'Active');
          expect(agreement.next_billing_at !== null).toBe(agreement.state === 'Active');
        }
        if (agreement.state !== 'Suspended') return;
        const now = new Date('2030-06-15T00:00:00Z');
        const again = { ...agreement, ...reactivated(agreement, now) };
        expect([again.state, again.cycles_done]).toEqual(['Active', agreement.cycles_done]);
        expect(again.next_billing_at?.toISOString()).toBe('2030-06-30T00:00:00.000Z');
      }),
    );
  });
});
