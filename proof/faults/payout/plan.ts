import { type Application, shop, variantOfShop } from '../applications.js';
import type { Random } from '../random.js';
import { type Currency, drawCurrency } from '../wire-money.js';

/** The status that the provider gives an item, by the name of its receiver (docs/provider.md). */
const receivers = ['success', 'failed', 'unclaimed', 'blocked', 'pending'] as const;
type Receiver = (typeof receivers)[number];

export interface PlannedItem {
  readonly itemId: string;
  readonly receiver: Receiver;
  /** In minor units of the batch's currency. */
  readonly minor: number;
  /** The order service cancels it if it stays unclaimed. */
  readonly isTakenBack: boolean;
}

export interface PayoutPlan extends Currency {
  readonly orderId: string;
  /** Its batches go through, are denied after the money has left, or are not funded. */
  readonly application: string;
  readonly items: readonly PlannedItem[];
  /** The order service first sends the batch with an item twice in it, which must be refused. */
  readonly hasTwins: boolean;
  readonly repeatsWhatIsDone: boolean;
}

export const deniedBatches = variantOfShop('payouts-denied', { payoutOutcome: 'denied' });
export const unfundedBatches = variantOfShop('payouts-unfunded', { payoutOutcome: 'unfunded' });
export const applicationsOfPayouts: readonly Application[] = [shop, deniedBatches, unfundedBatches];

const sizes: readonly (readonly [most: number, weight: number])[] = [
  [1, 15],
  [6, 53],
  [40, 26],
  // More than the engine reads in one call, and so several pages of them.
  [600, 6],
];

export function drawPayoutPlan(random: Random, orderId: string): PayoutPlan {
  const most = random.weighted(sizes);
  const count = random.integer(Math.ceil(most / 2), most);
  const { name } = random.weighted([
    [shop, 84],
    [deniedBatches, 8],
    [unfundedBatches, 8],
  ]);
  return {
    orderId,
    application: name,
    ...drawCurrency(random),
    hasTwins: random.chance(0.3),
    repeatsWhatIsDone: random.chance(0.25),
    items: Array.from({ length: count }, (_, index) =>
      drawItem(random, `${orderId}-item-${index + 1}`, count),
    ),
  };
}

/** @param count of the items in the batch: those taken back are a handful, for they go one by one. */
function drawItem(random: Random, itemId: string, count: number): PlannedItem {
  const receiver = random.weighted<Receiver>([
    ['success', 68],
    ['failed', 8],
    ['unclaimed', 12],
    ['blocked', 4],
    ['pending', 8],
  ]);
  return {
    itemId,
    receiver,
    minor: random.integer(1, 50_000),
    isTakenBack: receiver === 'unclaimed' && random.chance(Math.min(0.6, 24 / count)),
  };
}
