/** A span of time, both ends in milliseconds since the epoch. */
export interface Window {
  readonly from: number;
  readonly until: number;
}

const longestMs = 3_600_000;
const shortestMs = 1_000;

/**
 * Divides the time to search into windows, oldest first, whatever order the provider answers in. So an interrupted
 * search has covered everything before some instant, and the next one continues there.
 */
export class SearchWindows {
  private lengthMs = longestMs;

  constructor(
    private from: number,
    private readonly until: number,
  ) {}

  next(): Window | undefined {
    if (this.from >= this.until) return undefined;
    return { from: this.from, until: Math.min(this.until, this.from + this.lengthMs) };
  }

  /** True for a window of minimum length: it is searched to its end, however long that takes. */
  isShortest({ from, until }: Window): boolean {
    return until - from <= shortestMs;
  }

  /** The window was searched to its end; the next one is longer. */
  wasTaken({ until }: Window): void {
    this.from = until;
    this.lengthMs = Math.min(longestMs, this.lengthMs * 2);
  }

  /** The window had too many events; the next one is shorter. */
  wasTooMuch({ from, until }: Window): void {
    this.lengthMs = Math.max(shortestMs, (until - from) / 2);
  }
}
