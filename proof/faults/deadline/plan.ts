import { type Application, shop, variantOfShop } from '../applications.js';
import type { FaultShare } from '../fault-share.js';
import { drawPaymentPlan, type PaymentPlan } from '../payment/order-payment.js';
import type { Random } from '../random.js';

/** Its reads are held for seconds: signals come while the last read of the deadline is on its way. */
const heldReads = variantOfShop('deadlines-held', {});
export const applicationsOfDeadlines: readonly Application[] = [shop, heldReads];

/** The first that strikes counts, so the last one holds what the others have left. */
export const faultsOfDeadlines: readonly FaultShare[] = [
  ...[
    { delayMs: 2_000, probability: 0.3 },
    { delayMs: 3_500, probability: 0.4 },
    { delayMs: 2_700, probability: 1 },
  ].map(({ delayMs, probability }) => ({
    fault: { kind: 'delay', delayMs } as const,
    probability,
    operations: ['payment.get'],
    application: heldReads.name,
  })),
  {
    fault: { kind: 'late', executeAfterMs: 900, delayMs: 3_000 },
    probability: 0.5,
    operations: ['payment.execute'],
    application: heldReads.name,
  },
];

/** The acts close to the approval deadline. */
export type LateAct = 'the payer returns' | 'the order is cancelled' | 'a check';

export interface TimedAct {
  readonly act: LateAct;
  /** Milliseconds after `approvalBy`; before it where negative. */
  readonly afterMs: number;
}

export interface DeadlineAim {
  readonly approvalTimeoutSeconds: number;
  /** When the payer has approved at the provider, milliseconds after `approvalBy`; undefined: never. */
  readonly approvesAfterMs: number | undefined;
  readonly acts: readonly TimedAct[];
}

export interface DeadlinePlan extends PaymentPlan, DeadlineAim {
  readonly intent: 'sale' | 'authorize';
  readonly application: string;
}

const acts: readonly (readonly [LateAct, number])[] = [
  ['the payer returns', 50],
  ['a check', 35],
  ['the order is cancelled', 15],
];

/** Reads, rows and signals of the deadline meet within so much. */
const aboutTheDeadline = [-400, 600] as const;
/** The same where the last read takes seconds: it has seen no approval, and the payer returns before it ends. */
const duringTheLastRead = [-200, 3_300] as const;

export function drawDeadlinePlan(random: Random, orderId: string): DeadlinePlan {
  const isHeld = random.chance(0.5);
  return {
    ...drawPaymentPlan(random, orderId, false),
    // A payment that is approved at once has no deadline.
    approval: 'by the payer',
    intent: random.pick(['sale', 'authorize']),
    application: isHeld ? heldReads.name : shop.name,
    ...drawAim(random, isHeld),
  };
}

/** @param isHeld whether what is asked at the deadline is held for seconds. */
export function drawAim(random: Random, isHeld: boolean): DeadlineAim {
  const approves = random.chance(0.85);
  const count = random.integer(1, 4);
  return {
    approvalTimeoutSeconds: random.integer(2, 5),
    approvesAfterMs: approves ? within(random, isHeld ? [-300, 1_500] : [-1_500, 200]) : undefined,
    acts: Array.from({ length: count }, () => ({
      act: random.weighted(acts),
      afterMs: within(random, isHeld ? duringTheLastRead : aboutTheDeadline),
    })),
  };
}

function within(random: Random, [least, most]: readonly [number, number]): number {
  return random.integer(least, most);
}

export function describeAim({ approvesAfterMs, acts: timed }: DeadlineAim): string {
  const approval =
    approvesAfterMs === undefined ? 'never approved' : `approved at ${signed(approvesAfterMs)}`;
  const what = timed.map(({ act, afterMs }) => `${act} at ${signed(afterMs)}`).join(', ');
  return `${approval} of its deadline; ${what}`;
}

function signed(ms: number): string {
  return `${ms < 0 ? '' : '+'}${ms} ms`;
}
