import { setTimeout as sleep } from 'node:timers/promises';
import type { ManagedProcess } from './managed-process.js';

export interface RestartPolicy {
  /** Milliseconds before the first restart; each further one within `withinMs` waits twice as long. */
  readonly firstWaitMs: number;
  /** A child that ends more often than this within `withinMs` is given up. */
  readonly most: number;
  readonly withinMs: number;
}

const usualPolicy: RestartPolicy = { firstWaitMs: 200, most: 5, withinMs: 60_000 };

/** Starts children again that end without having been asked to: one that was killed is no reason to stop the others. */
export class Restarts {
  readonly #endedAt = new Map<ManagedProcess, number[]>();
  readonly #over = new AbortController();

  /**
   * @param report is called for each end and each restart.
   * @param giveUp is called with the reason why a child is not started any more.
   */
  constructor(
    private readonly report: (line: string) => void,
    private readonly giveUp: (sentence: string) => void,
    private readonly policy: RestartPolicy = usualPolicy,
  ) {}

  /** Called for a child that ended unasked. */
  noteEnd(sentence: string, child: ManagedProcess): void {
    const { firstWaitMs, most, withinMs } = this.policy;
    const now = performance.now();
    const ends = [...(this.#endedAt.get(child) ?? []), now].filter((at) => now - at < withinMs);
    this.#endedAt.set(child, ends);
    if (this.#over.signal.aborted) return;
    if (ends.length > most) {
      this.giveUp(
        `${sentence} That was ${ends.length} times within ${withinMs / 1_000} s: it is not started again.`,
      );
      return;
    }
    this.report(`${sentence} It is started again.`);
    void this.#startAgain(child, firstWaitMs * 2 ** (ends.length - 1));
  }

  /** From now on nothing is started again. */
  stop(): void {
    this.#over.abort();
  }

  async #startAgain(child: ManagedProcess, waitMs: number): Promise<void> {
    const { signal } = this.#over;
    try {
      await sleep(waitMs, undefined, { signal });
      await child.start();
      this.report(`${child.name} runs again.`);
    } catch (error) {
      // Stopped while it waited or started; else an end like any other.
      if (!signal.aborted) this.noteEnd(error instanceof Error ? error.message : String(error), child);
    }
  }
}
