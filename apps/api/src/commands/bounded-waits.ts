/**
 * How many may wait for the same thing at a time. Somebody with a payer's link needs no API key: he may come back as often
 * as he likes, and fills neither a run's line with messages nor the database with looks. One who hangs up keeps his
 * place until the waiting is over.
 */
export class BoundedWaits {
  private readonly waiting = new Map<string, number>();

  constructor(private readonly most: number) {}

  /** @returns what the work comes to; undefined when so many are at it already, and it is not begun. */
  async within<T>(key: string, work: () => Promise<T>): Promise<T | undefined> {
    const others = this.waiting.get(key) ?? 0;
    if (others >= this.most) return undefined;
    this.waiting.set(key, others + 1);
    try {
      return await work();
    } finally {
      const left = (this.waiting.get(key) ?? 1) - 1;
      if (left > 0) this.waiting.set(key, left);
      else this.waiting.delete(key);
    }
  }
}

/** Tabs of one payer, and then some. */
export const mostPayerReturns = 5;
