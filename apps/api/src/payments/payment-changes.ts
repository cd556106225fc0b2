import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { ChangeListener } from '../../../../libs/database/src/changes.js';

/** Notifications are hints and can be lost: a waiter looks again by itself after this long. */
const lookAgainMs = 1_000;

/** Lets a request wait until the rows say what it waits for. */
@Injectable()
export class PaymentChanges implements BeforeApplicationShutdown {
  private isShuttingDown = false;
  private readonly waiting = new Set<() => void>();

  constructor(@Inject(ChangeListener) private readonly listener: ChangeListener) {}

  /**
   * Looks at the rows until they satisfy, or the time is over, or the process is to end.
   *
   * @param look reads the rows; it is called at least once.
   * @param signal ends the waiting, for example because the caller has gone.
   * @returns what the last look saw, satisfying or not.
   */
  async until<T>(
    paymentId: string,
    withinMs: number,
    look: () => Promise<T>,
    satisfies: (seen: T) => boolean,
    signal?: AbortSignal,
  ): Promise<T> {
    const deadline = Date.now() + withinMs;
    for (;;) {
      const left = deadline - Date.now();
      // Begun before the look: a change that comes in between must not be slept through.
      const change = left > 0 ? this.changed(paymentId, Math.min(left, lookAgainMs)) : undefined;
      const seen = await look();
      if (satisfies(seen) || !change || this.isShuttingDown || signal?.aborted) return seen;
      await change;
    }
  }

  /** Long polls must not hold up the process's end. */
  beforeApplicationShutdown(): void {
    this.isShuttingDown = true;
    for (const wake of this.waiting) wake();
  }

  private async changed(paymentId: string, ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.waiting.add(resolve);
    await Promise.race([this.listener.changed(paymentId, ms), promise]);
    this.waiting.delete(resolve);
  }
}
