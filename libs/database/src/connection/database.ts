import { Kysely, PostgresDialect, type Transaction } from 'kysely';
import { type Client, type ClientBase, DatabaseError, Pool, types } from 'pg';
import { FairPool, type PoolShare, ShareInUseError } from './fair-pool.js';
import type { EngineTables } from '../schema/schema.js';

export type Database = Kysely<EngineTables>;
/** For writes that must share the transaction of other writes. */
export type DatabaseTransaction = Transaction<EngineTables>;

/** SQLSTATE of a write on a connection that only reads. */
const readOnly = '25006';

const pools = new WeakMap<
  Database,
  { readonly pool: Pool; readonly shared: Pick<Pool, 'query'> | FairPool }
>();

// int8 is used for row ids, far below 2^53, and for amounts, which are safe integers wherever they are read.
types.setTypeParser(types.builtins.INT8, Number);

export interface DatabaseOptions {
  readonly poolSize?: number;
  /**
   * How long a caller waits for a connection before the database counts as away. `connect_timeout` in the address, in
   * seconds, has priority, because its operator knows the network and the load.
   */
  readonly connectTimeoutMs?: number;
  /** The same for one statement: a hanging database counts as away, too. */
  readonly queryTimeoutMs?: number;
  /** After this time the server aborts the idle transaction of a process that hangs, and releases its locks. */
  readonly idleInTransactionMs?: number;
  /** How callers share the connections. If absent, one caller can take all of them. */
  readonly share?: Omit<PoolShare, 'waitMs'>;
}

/**
 * An attempt is committed before its POST: a commit that a crash of the server can take back would let the POST be sent
 * twice. Many servers have it off for speed, for a database or a role.
 */
const durableCommits = '-c synchronous_commit=on';

/** Options in the address have priority in pg, so they are taken out of it. Of two settings the server takes the last one. */
export function withDurableCommits(connectionString: string): {
  readonly connectionString: string;
  readonly options: string;
} {
  const query = new URLSearchParams(/\?(.*)$/s.exec(connectionString)?.[1]);
  const stated = query.get('options');
  return {
    connectionString: connectionString.replace(/(?<=[?&])options=[^&]*&?/g, ''),
    options: stated ? `${stated} ${durableCommits}` : durableCommits,
  };
}

/** Opens a pool on the engine's own database. */
export function openDatabase(
  connectionString: string,
  {
    poolSize = 10,
    connectTimeoutMs = 3_000,
    queryTimeoutMs = 15_000,
    idleInTransactionMs = 30_000,
    share,
  }: DatabaseOptions = {},
): Database {
  const waitMs = statedConnectTimeoutMs(connectionString) ?? connectTimeoutMs;
  const pool = new Pool({
    ...withDurableCommits(connectionString),
    max: poolSize,
    connectionTimeoutMillis: waitMs,
    query_timeout: queryTimeoutMs,
    idle_in_transaction_session_timeout: idleInTransactionMs,
    keepAlive: true,
    // Not `verify`: a client whose caller gives up meanwhile would keep its place in the pool for ever.
    // oxlint-disable-next-line typescript/no-misused-promises -- the pool waits for it, which its types do not say
    onConnect: requireWrites,
  });
  // A lost connection is replaced on the next use; without listeners its error would end the process. The pool's
  // listener covers only idle connections, so each client has its own, too.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => {
    client.on('error', () => undefined);
    endUnanswered(client);
  });
  const shared = share ? new FairPool(pool, { ...share, waitMs }) : pool;
  const db = new Kysely<EngineTables>({ dialect: new PostgresDialect({ pool: shared }) });
  pools.set(db, { pool, shared });
  return db;
}

/**
 * During a fail-over the address may lead to a standby. A connection to it would stay in the pool for as long as it is busy,
 * and fail each write; and what it shows may lack the latest commits.
 *
 * @throws {ReadOnlyDatabaseError}
 */
async function requireWrites(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ transaction_read_only: string }>('show transaction_read_only');
  if (rows[0]?.transaction_read_only !== 'off') throw new ReadOnlyDatabaseError();
}

/**
 * Ends a connection on which a statement got no answer, and with it what the statement did: nobody knows its state. A `begin`
 * that was given up may be carried out later. What the next users of the connection write would be part of that
 * transaction: answered, and rolled back when the connection ends.
 */
function endUnanswered(client: Client): void {
  const query = client.query.bind(client) as (...statement: unknown[]) => unknown;
  client.query = (...statement: unknown[]) => {
    const answer = query(...statement);
    // The pool takes no client back that was ended.
    if (answer instanceof Promise)
      answer.catch((error: unknown) => {
        if (!(error instanceof DatabaseError)) client.end().catch(() => undefined);
      });
    return answer as never;
  };
}

class ReadOnlyDatabaseError extends Error {
  override readonly name = 'ReadOnlyDatabaseError';
  readonly code = readOnly;

  constructor() {
    super('The database takes no writes.');
  }
}

/** `connect_timeout` of an address. */
export function statedConnectTimeoutMs(connectionString: string): number | undefined {
  const seconds = /[?&]connect_timeout=(\d+)/.exec(connectionString)?.[1];
  return seconds === undefined ? undefined : Number(seconds) * 1_000;
}

/**
 * The connection pool of an opened database, for functions that Kysely does not have. Callers share it as they share
 * Kysely's.
 *
 * @throws for a transaction, which has only one connection.
 */
export function poolOf(db: Database): Pick<FairPool, 'query'> {
  return openedPool(db).shared;
}

/** How many connections of a pool are in use, are open and idle, and are waited for. */
export interface PoolUse {
  readonly used: number;
  readonly idle: number;
  readonly waiting: number;
  readonly most: number;
}

/** @throws for a transaction. */
export function poolUse(db: Database): PoolUse {
  const { totalCount, idleCount, waitingCount, options } = openedPool(db).pool;
  return { used: totalCount - idleCount, idle: idleCount, waiting: waitingCount, most: options.max };
}

function openedPool(db: Database) {
  const opened = pools.get(db);
  if (!opened) throw new Error('a transaction has no pool');
  return opened;
}

/** True for errors that mean "the database is away", not "the statement is wrong". */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = (error as { code?: unknown }).code;
  if (code === readOnly) return true;
  if (typeof code === 'string') return /^(ECONN|ETIMEDOUT|EPIPE|ENOTFOUND|EHOSTUNREACH|08|57P|53)/.test(code);
  return /timeout|terminated|Connection ended|not queryable/i.test(error.message);
}

/** True for errors that say nothing about a statement: later it can succeed. Its caller may use too many connections now. */
export function isTemporary(error: unknown): boolean {
  return isDatabaseAway(error) || error instanceof ShareInUseError;
}

/** True if a text contains NUL, which PostgreSQL cannot store or compare. */
export function isUnstorableText(error: unknown): boolean {
  return error instanceof Error && (error as { code?: unknown }).code === '22021';
}

/** True if a row violates this unique constraint. */
export function isDuplicateOf(error: unknown, constraint: string): boolean {
  if (!(error instanceof Error)) return false;
  const { code, constraint: violated } = error as { code?: unknown; constraint?: unknown };
  return code === '23505' && violated === constraint;
}

/** True if a trigger refused the statement because the row has changed since its writer read it (migration 0012). */
export function isOvertaken(error: unknown): boolean {
  return error instanceof Error && (error as { code?: unknown }).code === 'PLE01';
}
