/** A span of time, both ends in milliseconds since the epoch. */
export interface Window {
  readonly from: number;
  readonly until: number;
}

const longestMs = 3_600_000;
const shortestMs = 1_000;

/**
 * Divides the time that is to be searched, oldest first, whatever order the provider answers in: so a search that is
 * cut short has taken all of the past before some instant, and the next one goes on there.
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

  /** True for a window that cannot be made smaller: it is searched to its end, however long that takes. */
  isShortest({ from, until }: Window): boolean {
    return until - from <= shortestMs;
  }

  /** The window was searched to its end; a quiet time is searched in longer strides. */
  wasTaken({ until }: Window): void {
    this.from = until;
    this.lengthMs = Math.min(longestMs, this.lengthMs * 2);
  }

  /** There was more in the window than is to be taken at once. */
  wasTooMuch({ from, until }: Window): void {
    this.lengthMs = Math.max(shortestMs, (until - from) / 2);
  }
}
