import { type Application, shop } from '../applications.js';
import { drawPaymentPlan, type PaymentPlan } from '../payment/order-payment.js';
import type { Random } from '../random.js';

export const applicationsOfDeadlines: readonly Application[] = [shop];

/** The acts close to the approval deadline. */
export type LateAct = 'the payer returns' | 'the order is cancelled' | 'a check';

export interface TimedAct {
  readonly act: LateAct;
  /** Milliseconds after `approvalBy`; before it where negative. */
  readonly afterMs: number;
}

export interface DeadlinePlan extends PaymentPlan {
  readonly intent: 'sale' | 'authorize';
  readonly approvalTimeoutSeconds: number;
  /** When the payer has approved at the provider, milliseconds after `approvalBy`; undefined: never. */
  readonly approvesAfterMs: number | undefined;
  readonly acts: readonly TimedAct[];
}

const acts: readonly (readonly [LateAct, number])[] = [
  ['the payer returns', 50],
  ['a check', 35],
  ['the order is cancelled', 15],
];

/** Reads, rows and signals of the deadline meet within so much. */
const aboutTheDeadline = [-400, 600] as const;

export function drawDeadlinePlan(random: Random, orderId: string): DeadlinePlan {
  const approves = random.chance(0.85);
  const count = random.integer(1, 4);
  return {
    ...drawPaymentPlan(random, orderId, false),
    // A payment that is approved at once has no deadline.
    approval: 'by the payer',
    intent: random.pick(['sale', 'authorize']),
    approvalTimeoutSeconds: random.integer(2, 5),
    approvesAfterMs: approves ? random.integer(-1_500, 200) : undefined,
    acts: Array.from({ length: count }, () => ({
      act: random.weighted(acts),
      afterMs: random.integer(...aboutTheDeadline),
    })),
  };
}
