import { type Application, variantOfShop } from '../applications.js';
import type { Random } from '../random.js';
import type { Currency } from '../wire-money.js';

/** What the order service, or somebody else, makes of a subscription. */
export type Ending =
  | 'run to its end'
  | 'suspend'
  | 'suspend and reactivate'
  | 'cancel'
  | 'cancelled elsewhere'
  | 'the payer cancels';

/** Equal content is one plan, whoever orders it. */
export interface Terms extends Currency {
  readonly name: string;
  /** In minor units. */
  readonly feeMinor: number;
  readonly cycleMinor: number;
}

export interface SubscriptionPlan {
  readonly orderId: string;
  readonly terms: Terms;
  readonly ending: Ending;
  readonly hasReturningPayer: boolean;
  readonly thinkMs: number;
  readonly repeatsWhatIsDone: boolean;
}

export const cycles = 3;

/** Its days are short, so that a subscription of a few cycles comes to its end. */
export const subscriptions: Application = variantOfShop('subscriptions', { dayLengthMs: 3_000 });

const allTerms: readonly Terms[] = [
  { name: 'Magazine', currency: 'USD', exponent: 2, feeMinor: 500, cycleMinor: 1_099 },
  { name: 'Newspaper', currency: 'JPY', exponent: 0, feeMinor: 0, cycleMinor: 1_200 },
  { name: 'Almanac', currency: 'KWD', exponent: 3, feeMinor: 1_250, cycleMinor: 3_005 },
];

/** In which state the engine shows a subscription in the end. */
export const plannedStates: Readonly<Record<Ending, string>> = {
  'run to its end': 'expired',
  suspend: 'suspended',
  'suspend and reactivate': 'expired',
  cancel: 'cancelled',
  'cancelled elsewhere': 'cancelled',
  'the payer cancels': 'cancelled',
};

export function drawSubscriptionPlan(random: Random, orderId: string): SubscriptionPlan {
  return {
    orderId,
    terms: random.pick(allTerms),
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
