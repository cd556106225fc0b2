import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { ChangeListener, isDatabaseAway } from '#database/connection';
import type { NextChangeQuery } from '../wire/fields.js';

/** Notifications are hints and can be lost: a waiter looks again by itself after this long. */
const lookAgainMs = 1_000;
/** The same of long polls: hundreds of them look as often as a few answers that are waited for. */
const pollAgainMs = 5_000;

interface Wait<T> {
  /** Reads the rows. */
  readonly look: () => Promise<T>;
  readonly satisfies: (seen: T) => boolean;
  /** What was known before: the answer when the database goes away while a request waits that was already accepted. */
  readonly known?: T;
  /** Looks again by itself after this long. */
  readonly againMs?: number;
  /** Ends the waiting, for example because the caller has gone. */
  readonly signal?: AbortSignal;
}

interface NextChange<Row> {
  readonly look: () => Promise<Row>;
  readonly versionOf: (row: Row) => number;
  /** Nothing changes it any more. */
  readonly isAtRest: (row: Row) => boolean;
  readonly signal: AbortSignal;
}

/** Lets a request wait until the rows say what it waits for. */
@Injectable()
export class Changes implements BeforeApplicationShutdown {
  private isShuttingDown = false;
  private readonly waiting = new Set<() => void>();

  constructor(@Inject(ChangeListener) private readonly listener: ChangeListener) {}

  /**
   * Looks at the rows until they satisfy, or the time is over, or the process is to end; at least once.
   *
   * @returns what the last look saw, satisfying or not.
   */
  async until<T>(
    subjectId: string,
    withinMs: number,
    { look, satisfies, known, againMs = lookAgainMs, signal }: Wait<T>,
  ): Promise<T> {
    const deadline = Date.now() + withinMs;
    for (;;) {
      const left = deadline - Date.now();
      // Begun before the look: a change that comes in between must not be slept through.
      const change = left > 0 ? this.changed(subjectId, Math.min(left, againMs)) : undefined;
      const seen = await lookOr(known, look);
      if (satisfies(seen) || !change || this.isShuttingDown || signal?.aborted) return seen;
      await change;
    }
  }

  /**
   * A long poll: waits for a version that the caller has not seen.
   *
   * @param asked whole seconds to wait; the version that the caller has seen, by default the first one shown here.
   * @returns the row as it stands when it has changed, can change no more, or the time is over.
   */
  async next<Row extends { readonly id: string }>(
    { wait = 0, since }: NextChangeQuery,
    { look, versionOf, isAtRest, signal }: NextChange<Row>,
  ): Promise<Row> {
    const first = await look();
    const seenVersion = since ?? versionOf(first);
    const satisfies = (row: Row): boolean => versionOf(row) > seenVersion || isAtRest(row);
    if (wait === 0 || satisfies(first)) return first;
    return await this.until(first.id, wait * 1_000, {
      look,
      satisfies,
      againMs: pollAgainMs,
      signal,
    });
  }

  /** Long polls must not hold up the process's end. */
  beforeApplicationShutdown(): void {
    this.isShuttingDown = true;
    for (const wake of this.waiting) wake();
  }

  private async changed(subjectId: string, ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.waiting.add(resolve);
    await Promise.race([this.listener.changed(subjectId, ms), promise]);
    this.waiting.delete(resolve);
  }
}

async function lookOr<T>(known: T | undefined, look: () => Promise<T>): Promise<T> {
  try {
    return await look();
  } catch (error) {
    if (known === undefined || !isDatabaseAway(error)) throw error;
    return known;
  }
}
