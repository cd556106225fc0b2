import { type Application, shop, variantOfShop } from '../applications.js';
import { drawPaymentPlan, type PaymentPlan } from '../payment/order-payment.js';
import type { Random } from '../random.js';

/** How much goes back: fifths of the payment, or all that is left of it. */
type Share = 1 | 2 | 3 | 4 | 'all';

export type Step =
  | { readonly ask: 'refund'; readonly share: Share }
  /** Two order services, or a double click under two keys. */
  | { readonly ask: 'at once'; readonly shares: readonly Share[] }
  /** The provider's dashboard. */
  | { readonly ask: 'elsewhere'; readonly share: 1 | 2 };

export interface Wish {
  readonly title: string;
  readonly steps: readonly Step[];
}

const refund = (share: Share): Step => ({ ask: 'refund', share });

/** What shall go back, and who says so. */
export const wishes = {
  whole: { title: 'in full', steps: [refund('all')] },
  part: { title: 'in part', steps: [refund(2)] },
  twoParts: { title: 'in two parts', steps: [refund(2), refund('all')] },
  twins: { title: 'two equal parts at once', steps: [{ ask: 'at once', shares: [2, 2] }] },
  tooMuchAtOnce: {
    title: 'two parts at once of which one is too much',
    steps: [{ ask: 'at once', shares: [3, 3] }],
  },
  elsewhere: { title: 'elsewhere', steps: [{ ask: 'elsewhere', share: 2 }] },
  both: { title: 'elsewhere, then the rest', steps: [{ ask: 'elsewhere', share: 1 }, refund(4)] },
} as const satisfies Record<string, Wish>;

/** In milliseconds. */
const refundSettleMs = 4_000;
const completedLater = variantOfShop('refunds-settled', {
  refundOutcome: 'pending_then_completed',
  refundSettleMs,
});
const failedLater = variantOfShop('refunds-failing', {
  refundOutcome: 'pending_then_failed',
  refundSettleMs,
});

export const applicationsOfRefunds: readonly Application[] = [shop, completedLater, failedLater];

export interface RefundPlan extends PaymentPlan {
  /** What collects the money that goes back. */
  readonly intent: 'sale' | 'authorize';
  /** Its refunds are made at once, later, or fail later. */
  readonly application: string;
  readonly wish: Wish;
}

export function drawRefundPlan(random: Random, orderId: string): RefundPlan {
  const plan = drawPaymentPlan(random, orderId, false);
  const intent = random.pick(['sale', 'authorize'] as const);
  const wish = random.weighted<Wish>([
    [wishes.whole, 20],
    [wishes.part, 15],
    [wishes.twoParts, 20],
    [wishes.twins, 15],
    [wishes.tooMuchAtOnce, 10],
    [wishes.elsewhere, 10],
    [wishes.both, 10],
  ]);
  const { name } = random.weighted([
    [shop, 60],
    [completedLater, 25],
    // The provider tells nobody of a refund made elsewhere that fails.
    [hasElsewhere(wish) ? shop : failedLater, 15],
  ]);
  return { ...plan, intent, wish, application: name };
}

export function hasElsewhere({ steps }: Wish): boolean {
  return steps.some(({ ask }) => ask === 'elsewhere');
}
