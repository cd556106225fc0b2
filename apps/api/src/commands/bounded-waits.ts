import { Places } from './places.js';

/**
 * How many may wait for the same thing at a time. Somebody with a payer's link needs no API key: he may come back as often
 * as he likes, and fills neither a run's line with messages nor the database with looks. One who hangs up keeps his
 * place until the waiting is over.
 */
export class BoundedWaits {
  private readonly places = new Places();

  constructor(private readonly most: number) {}

  /** @returns what the work comes to; undefined when so many are at it already, and it is not begun. */
  async within<T>(key: string, work: () => Promise<T>): Promise<T | undefined> {
    const giveBack = this.places.take(key, this.most);
    if (!giveBack) return undefined;
    try {
      return await work();
    } finally {
      giveBack();
    }
  }
}

/** Tabs of one payer, and then some. */
export const mostPayerReturns = 5;
