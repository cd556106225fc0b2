import { sql, type Kysely } from 'kysely';
import type { Pool, PoolClient } from 'pg';
import type { Logger } from 'pino';
import { startRecurringTask, type RecurringTask } from '../clock/recurring-task.js';
import type { Tables } from '../database/tables.js';

/** Connections that hold a snapshot each, at most. */
const MOST_HOLDERS = 16;
const SHORTEST_STEP_MS = 50;
/** A snapshot stays this long after its use, so that a read that has chosen it still finds it. */
const MARGIN_MS = 1_000;
/** For reads that were affected by the last use of a fault. */
const GRACE_MS = 5_000;

interface Snapshot {
  readonly id: string;
  /** Not later than the state that it shows. */
  readonly takenAt: number;
  readonly holder: PoolClient;
}

/**
 * Past states of the database, for reads that lag behind the writes. While somebody needs them, a ring of transactions
 * holds exported snapshots, taken every quarter of the shortest lag, or every twelfth of the longest if that is more. A
 * read shows the oldest of them that is not older than its lag: everything that was acknowledged a lag ago, and, once
 * the ring is full, nothing of the last three quarters of it. A new ring shows younger states, and one whose snapshots
 * were lost (the database was down) shows the present.
 */
export class PastStates {
  #lagsMs: readonly number[] = [];
  #snapshots: Snapshot[] = [];
  #holders: Pool | undefined;
  #taker: RecurringTask | undefined;
  #ending: NodeJS.Timeout | undefined;
  #changes: Promise<void> = Promise.resolve();

  /** @param openHolders opens a pool whose transactions may stay idle. */
  constructor(
    private readonly openHolders: (size: number) => Pool,
    private readonly logger: Logger,
  ) {}

  /**
   * From now on reads may lag by these milliseconds; none: all is released soon. Resolves once the present state is
   * kept.
   */
  async keepFor(lagsMs: readonly number[]): Promise<void> {
    clearTimeout(this.#ending);
    if (lagsMs.length > 0) await this.#inTurn(() => this.#begin(lagsMs));
    // Even if nothing is held at this moment: a beginning transaction may still wait for its turn.
    else this.#ending = setTimeout(() => void this.close(), GRACE_MS).unref();
  }

  close(): Promise<void> {
    clearTimeout(this.#ending);
    return this.#inTurn(() => this.#letGo());
  }

  /** Runs `query` on the state of up to `lagMs` ago; `present` is where it would run otherwise. */
  async readAsOf<Found>(
    present: Kysely<Tables>,
    lagMs: number,
    query: (database: Kysely<Tables>) => Promise<Found>,
  ): Promise<Found> {
    const oldest = Date.now() - lagMs;
    for (const snapshot of this.#snapshots.filter(({ takenAt }) => takenAt >= oldest)) {
      const seen = await present
        .transaction()
        .setIsolationLevel('repeatable read')
        .setAccessMode('read only')
        .execute(async (transaction) => {
          const isThere = await sql`SET TRANSACTION SNAPSHOT ${sql.lit(snapshot.id)}`
            .execute(transaction)
            .then(
              () => true,
              () => false,
            );
          return isThere ? { found: await query(transaction) } : undefined;
        });
      if (seen !== undefined) return seen.found;
      this.#forget(snapshot);
    }
    return query(present);
  }

  async #begin(lagsMs: readonly number[]): Promise<void> {
    await this.#taker?.stop();
    this.#lagsMs = lagsMs;
    this.#holders ??= this.openHolders(MOST_HOLDERS);
    const stepMs = Math.max(SHORTEST_STEP_MS, Math.min(...lagsMs) / 4, Math.max(...lagsMs) / 12);
    await this.#take(stepMs).catch(() =>
      this.logger.warn('the first snapshot could not be taken: reads show the present state until one is'),
    );
    this.#taker = startRecurringTask('past states', { idleMs: stepMs }, this.logger, async () => {
      await this.#take(stepMs);
      return 'nothing';
    });
  }

  /**
   * Keeps the present state, unless an equally young one is kept already, and releases states that nobody needs any
   * more.
   */
  async #take(stepMs: number): Promise<void> {
    const now = Date.now();
    const eldest = now - Math.max(...this.#lagsMs) - MARGIN_MS;
    for (const snapshot of this.#snapshots.filter(({ takenAt }) => takenAt < eldest)) this.#forget(snapshot);
    const newest = this.#snapshots.at(-1);
    if (newest !== undefined && now - newest.takenAt < stepMs / 2) return;
    const eldestOfTooMany = this.#snapshots.length >= MOST_HOLDERS - 1 ? this.#snapshots[0] : undefined;
    if (eldestOfTooMany !== undefined) this.#forget(eldestOfTooMany);
    const holder = await this.#holders?.connect();
    if (holder === undefined) return;
    try {
      await holder.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      const { rows } = await holder.query<{ id: string }>('SELECT pg_export_snapshot() AS id');
      const [row] = rows;
      if (row === undefined) throw new Error('No snapshot was exported');
      this.#snapshots.push({ id: row.id, takenAt: now, holder });
    } catch (error) {
      holder.release(true);
      throw error;
    }
  }

  async #letGo(): Promise<void> {
    await this.#taker?.stop();
    this.#taker = undefined;
    for (const snapshot of this.#snapshots) snapshot.holder.release(true);
    this.#snapshots = [];
    const holders = this.#holders;
    this.#holders = undefined;
    await holders?.end();
  }

  #forget(snapshot: Snapshot): void {
    if (!this.#snapshots.includes(snapshot)) return;
    this.#snapshots = this.#snapshots.filter((other) => other !== snapshot);
    snapshot.holder.query('ROLLBACK').then(
      () => snapshot.holder.release(),
      () => snapshot.holder.release(true),
    );
  }

  /** Begins and ends never overlap. */
  #inTurn(change: () => Promise<void>): Promise<void> {
    this.#changes = this.#changes.catch(() => undefined).then(change);
    return this.#changes;
  }
}
