import type { World } from '../core/world.js';
import type { Worker } from '../temporal/worker.js';
import type { Rows } from './rows.js';

/** The connection was lost; whether the statement was carried out is not known. */
export class DatabaseAwayError extends Error {
  override readonly name = 'DatabaseAwayError';
}

/**
 * One process's way to the rows. A statement is carried out at one instant between its sending and its answer, and the
 * process can die on either way.
 */
export class SimulatedDatabase {
  constructor(
    private readonly world: World,
    private readonly rows: Rows,
    private readonly worker: Worker,
    private readonly isTransaction = false,
  ) {}

  async run<T>(statement: (rows: Rows) => T): Promise<T> {
    if (this.isTransaction) return statement(this.rows);
    return await this.travel(async () => statement(this.rows));
  }

  /** Its statements are carried out at one instant: whoever came between them would have waited for its locks. */
  transaction() {
    return {
      execute: async <T>(work: (trx: SimulatedDatabase) => Promise<T>): Promise<T> =>
        await this.travel(async () => {
          const trx = new SimulatedDatabase(this.world, this.rows, this.worker, true);
          return await allOrNothing(this.rows, async () => await work(trx));
        }),
    };
  }

  private async travel<T>(work: () => Promise<T>): Promise<T> {
    const { draws, faults } = this.world;
    await this.worker.hop(draws.between('to database', 1, 4));
    if (faults.strikes('database away', 0.004, 'the database is away')) throw new DatabaseAwayError();
    const result = await work();
    await this.worker.hop(draws.between('from database', 1, 4));
    if (faults.strikes('commit unheard', 0.004, 'the answer of a commit is lost'))
      throw new DatabaseAwayError();
    return result;
  }
}

/** What a transaction has written is taken back if it fails. */
export async function allOrNothing<T>(rows: Rows, work: () => Promise<T>): Promise<T> {
  const restore = rows.checkpoint();
  try {
    return await work();
  } catch (error) {
    restore();
    throw error;
  }
}

/** What takes the place of the query modules is given the database of the code under test, which is this one here. */
export function simulated(db: unknown): SimulatedDatabase {
  return db as SimulatedDatabase;
}
