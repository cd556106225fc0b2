import type { RefundStatus } from '#workflows/lifecycle/refund';

/** What becomes of a POST: whether it is carried out, when, and what its caller hears of it. */
export interface PostResult {
  readonly kind: 'answered' | 'lost' | 'dropped' | 'refused' | 'declined';
  /** After it was sent, in milliseconds: an operation can be executed late. */
  readonly executedAfterMs: number;
}

interface Made {
  readonly reference: string;
  readonly minor: number;
  readonly at: number;
}

/** Longer than the model executes late plus its reads lag. */
export const horizonMs = 10_000;
export const longestDelayMs = 5_000;
export const longestLagMs = 4_000;

/**
 * A provider that believes everything: it knows no keys, no limits and no duplicates, so that whatever is sent twice
 * stands in its books twice.
 */
export class ModelProvider {
  private readonly made: Made[] = [];

  constructor(
    /** What a pending refund becomes, and what each starts as. */
    private readonly settlesAs: Extract<RefundStatus, 'completed' | 'failed' | 'cancelled'>,
    private readonly settlesAfterMs: number,
  ) {}

  post(reference: string, minor: number, postResult: PostResult, now: number): void {
    const isExecuted = postResult.kind === 'answered' || postResult.kind === 'lost';
    const delay = postResult.kind === 'answered' ? 0 : postResult.executedAfterMs;
    if (isExecuted) this.made.push({ reference, minor, at: now + delay });
  }

  /** What a read shows that lags behind by `lagMs`. */
  find(reference: string, now: number, lagMs = 0): { readonly state: string } | undefined {
    const found = this.made.find((each) => each.reference === reference && each.at <= now - lagMs);
    return found && { state: this.stateOf(found, now - lagMs) };
  }

  /** How much has gone back under a reference, once nothing is pending. */
  movedUnder(reference: string): number {
    if (this.settlesAs !== 'completed') return 0;
    return this.made.reduce((sum, each) => (each.reference === reference ? sum + each.minor : sum), 0);
  }

  timesMade(reference: string): number {
    return this.made.filter((each) => each.reference === reference).length;
  }

  private stateOf({ at }: Made, seenAt: number): string {
    return seenAt >= at + this.settlesAfterMs ? this.settlesAs : 'pending';
  }
}
