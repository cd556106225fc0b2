import type { Pool, PoolClient } from 'pg';

/** How the connections of a pool are shared among callers. */
export interface PoolShare {
  /** For whom a connection is taken; undefined: for nobody who would take too many. */
  readonly callerNow: () => string | undefined;
  /** Connections that one caller may hold at a time; those of his that want more wait in his own line. */
  readonly most: number;
  /** How long one waits there before a ShareInUseError. */
  readonly waitMs: number;
}

/** A caller keeps all connections busy that he may have: he asks too much, and nothing is away. */
export class ShareInUseError extends Error {
  override readonly name = 'ShareInUseError';
}

/** A pool of which no caller can take everything: Kysely asks nothing else of one. */
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
      return this.givenBack(caller, await this.pool.connect());
    } catch (error) {
      this.leave(caller);
      throw error;
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

  /** The pool makes `release` again whenever it hands the client out. */
  private givenBack(caller: string, client: PoolClient): PoolClient {
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
    // Handed on, so that nobody who comes just now gets in front.
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
  /** In the order in which they came. */
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
