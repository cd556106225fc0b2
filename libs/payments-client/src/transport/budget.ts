import { setTimeout as sleep } from 'node:timers/promises';
import { startStopwatch } from './stopwatch.js';

/** A wait was interrupted: the call's total time limit is over, or its caller aborted. */
export class Interrupted extends Error {
  readonly by: 'timed_out' | 'aborted';

  constructor(by: 'timed_out' | 'aborted') {
    super(by);
    this.by = by;
  }
}

/** The time limit of one call, including its attempts and the waits between them. */
export class Budget {
  readonly signal: AbortSignal | undefined;
  readonly #totalTimeoutMs: number;
  readonly #notRepeatedFrom: number;
  readonly #elapsedMs = startStopwatch();

  /** @param notRepeatedFrom milliseconds since the epoch */
  constructor(
    totalTimeoutMs: number,
    signal: AbortSignal | undefined,
    notRepeatedFrom = Number.POSITIVE_INFINITY,
  ) {
    this.#totalTimeoutMs = totalTimeoutMs;
    this.#notRepeatedFrom = notRepeatedFrom;
    this.signal = signal;
  }

  /** Whether the call may be sent again after such a wait. */
  allowsRepeatAfter(ms: number): boolean {
    return ms < this.remainingMs() && Date.now() + ms < this.#notRepeatedFrom;
  }

  remainingMs(): number {
    return this.#totalTimeoutMs - this.#elapsedMs();
  }

  /** Ends early, without an error, when the caller aborts. The code that plans a wait checks the time limit. */
  async sleep(ms: number): Promise<void> {
    await sleep(ms, undefined, this.signal && { signal: this.signal }).catch(() => undefined);
  }

  /**
   * Waits for work that is shared with other calls. An interruption ends this wait, not the work.
   * @throws Interrupted, or what `work` rejects with.
   */
  async join<T>(work: Promise<T>): Promise<T> {
    if (this.signal?.aborted) throw new Interrupted('aborted');
    const interruption = Promise.withResolvers<never>();
    const abort = () => interruption.reject(new Interrupted('aborted'));
    const timer = setTimeout(
      () => interruption.reject(new Interrupted('timed_out')),
      Math.max(0, this.remainingMs()),
    );
    this.signal?.addEventListener('abort', abort, { once: true });
    try {
      const result = await Promise.race([work, interruption.promise]);
      // The caller decided to send before this wait.
      if (!this.allowsRepeatAfter(0)) throw new Interrupted('timed_out');
      return result;
    } finally {
      clearTimeout(timer);
      this.signal?.removeEventListener('abort', abort);
    }
  }
}
