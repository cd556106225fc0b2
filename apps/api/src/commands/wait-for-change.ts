import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { ChangeListener, isTemporary } from '#database/connection';
import type { NextChangeQuery } from '../wire/fields.js';

/** Notifications can be lost, so a waiter reads the rows again after this time. */
const readAgainMs = 1_000;
/** The same for long polls. It is longer, because there may be hundreds of them. */
const pollAgainMs = 5_000;

interface Wait<T> {
  /** Reads the rows. */
  readonly read: () => Promise<T>;
  readonly satisfies: (seen: T) => boolean;
  /** The result if the rows cannot be read for now, during the wait of an accepted request. */
  readonly known?: T;
  /** The rows are read again after this time, without a notification. */
  readonly againMs?: number;
  /** Ends the wait, for example because the caller has disconnected. */
  readonly signal?: AbortSignal;
}

interface NextChange<Row> {
  readonly read: () => Promise<Row>;
  readonly versionOf: (row: Row) => number;
  /** True if the row will not change any more. */
  readonly isAtRest: (row: Row) => boolean;
  readonly signal: AbortSignal;
}

/** Lets a request wait until the rows show what it waits for. */
@Injectable()
export class ChangeWaits implements BeforeApplicationShutdown {
  private isShuttingDown = false;
  private readonly waiting = new Set<() => void>();

  constructor(@Inject(ChangeListener) private readonly listener: ChangeListener) {}

  /**
   * Reads the rows until they satisfy, the time is over, or the process shuts down; at least once.
   *
   * @returns the result of the last read, satisfying or not.
   */
  async until<T>(
    subjectId: string,
    withinMs: number,
    { read, satisfies, known, againMs = readAgainMs, signal }: Wait<T>,
  ): Promise<T> {
    // Not by the wall clock, which may be set back meanwhile.
    const deadline = performance.now() + withinMs;
    for (;;) {
      const left = deadline - performance.now();
      // Registered before the read, so that a change in between ends the wait.
      const change = left > 0 ? this.changed(subjectId, Math.min(left, againMs)) : undefined;
      const seen = await readOr(known, read);
      if (satisfies(seen) || !change || this.isShuttingDown || signal?.aborted) return seen;
      await change;
    }
  }

  /**
   * Does what makes a run change the rows, and reads them when they have changed: a read right away would be too early.
   *
   * @param act returns whether a change is to come.
   */
  async after<T>(
    act: () => Promise<boolean>,
    subjectId: string,
    withinMs: number,
    wait: Wait<T>,
  ): Promise<T> {
    // Registered first, so that a change during the act counts.
    const change = this.changed(subjectId, Math.min(withinMs, readAgainMs));
    const isToCome = await act();
    const actedAt = performance.now();
    if (isToCome) await change;
    return await this.until(subjectId, withinMs - (performance.now() - actedAt), wait);
  }

  /**
   * A long poll: waits for a version that the caller has not seen.
   *
   * @param query `wait`: whole seconds. `since`: the version that the caller has seen; default: the first one read here.
   * @returns the row when it has changed or cannot change any more, or when the time is over.
   */
  async next<Row extends { readonly id: string }>(
    { wait = 0, since }: NextChangeQuery,
    { read, versionOf, isAtRest, signal }: NextChange<Row>,
  ): Promise<Row> {
    const first = await read();
    const seenVersion = since ?? versionOf(first);
    const satisfies = (row: Row): boolean => versionOf(row) > seenVersion || isAtRest(row);
    if (wait === 0 || satisfies(first)) return first;
    return await this.until(first.id, wait * 1_000, {
      read,
      satisfies,
      againMs: pollAgainMs,
      signal,
    });
  }

  /** Long polls must not delay the shutdown. */
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

async function readOr<T>(known: T | undefined, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (known === undefined || !isTemporary(error)) throw error;
    return known;
  }
}
