import type { Pool, PoolClient, QueryConfig, QueryResult, QueryResultRow } from 'pg';

/** The rules by which callers share the connections of a pool. */
export interface PoolShare {
  /** The caller for whom a connection is taken; undefined for work without a limit. */
  readonly callerNow: () => string | undefined;
  /** The most connections that one caller may hold at a time; further requests wait in the caller's own queue. */
  readonly most: number;
  /** How long a request waits there before a ShareInUseError. */
  readonly waitMs: number;
}

/** A caller already uses all connections that it may have. The database is not away. */
export class ShareInUseError extends Error {
  override readonly name = 'ShareInUseError';
}

/** A connection pool in which no caller can take all connections. It has the methods that Kysely and we use. */
export class FairPool {
  private readonly callers = new Map<string, Line>();
  readonly options: Pool['options'];

  constructor(
    private readonly pool: Pool,
    private readonly share: PoolShare,
  ) {
    this.options = pool.options;
  }

  async connect(): Promise<PoolClient> {
    const caller = this.share.callerNow();
    if (caller === undefined) return await this.pool.connect();
    await this.turnOf(caller);
    try {
      return this.releasing(caller, await this.pool.connect());
    } catch (error) {
      this.leave(caller);
      throw error;
    }
  }

  async query<Row extends QueryResultRow>(
    statement: QueryConfig | string,
    values?: unknown[],
  ): Promise<QueryResult<Row>> {
    const client = await this.connect();
    try {
      return await client.query<Row>(statement, values);
    } finally {
      client.release();
    }
  }

  async end(): Promise<void> {
    await this.pool.end();
  }

  private async turnOf(caller: string): Promise<void> {
    const line = this.callers.get(caller) ?? { holding: 0, waiting: new Set() };
    this.callers.set(caller, line);
    if (line.holding < this.share.most) {
      line.holding += 1;
      return;
    }
    await inLine(line, this.share.waitMs);
  }

  /** The pool sets `release` again each time it hands out the client. */
  private releasing(caller: string, client: PoolClient): PoolClient {
    const release = client.release.bind(client);
    client.release = (destroy) => {
      this.leave(caller);
      release(destroy);
    };
    return client;
  }

  private leave(caller: string): void {
    const line = this.callers.get(caller);
    if (!line) return;
    const [next] = line.waiting;
    // Passed on directly, so that a new request does not get ahead of the queue.
    if (next) {
      line.waiting.delete(next);
      next();
      return;
    }
    line.holding -= 1;
    if (line.holding === 0) this.callers.delete(caller);
  }
}

interface Line {
  holding: number;
  /** In order of arrival. */
  readonly waiting: Set<() => void>;
}

async function inLine({ waiting }: Line, waitMs: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  waiting.add(resolve);
  const timer = setTimeout(() => {
    waiting.delete(resolve);
    reject(new ShareInUseError('The connections of this caller are all in use.'));
  }, waitMs);
  await promise.finally(() => clearTimeout(timer));
}
