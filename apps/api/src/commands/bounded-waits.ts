import { Places } from './places.js';

/**
 * Limits concurrent waits per key, because the payer's link needs no API key. So a payer who returns again and again
 * fills neither the run's inbox with messages nor the database with reads. A caller who disconnects keeps the place
 * until the wait ends.
 */
export class BoundedWaits {
  private readonly places = new Places();

  constructor(private readonly most: number) {}

  /** @returns the result of `work`; undefined if the limit is reached, and then `work` is not called. */
  async within<T>(key: string, work: () => Promise<T>): Promise<T | undefined> {
    const release = this.places.take(key, this.most);
    if (!release) return undefined;
    try {
      return await work();
    } finally {
      release();
    }
  }
}

/** More than the tabs that one payer has open. */
export const mostPayerReturns = 5;
