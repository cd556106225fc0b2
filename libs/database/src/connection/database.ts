import { Kysely, PostgresDialect, type Transaction } from 'kysely';
import { Migrator } from 'kysely/migration';
import { Pool, types } from 'pg';
import { FairPool, type PoolShare } from './fair-pool.js';
import * as payments from './migrations/0001-payments.js';
import * as stepNames from './migrations/0002-step-names.js';
import * as inbox from './migrations/0003-inbox.js';
import * as decisions from './migrations/0004-decisions.js';
import * as reconciliation from './migrations/0005-reconciliation.js';
import * as refunds from './migrations/0006-refunds.js';
import * as subjects from './migrations/0007-subjects.js';
import * as ownRefunds from './migrations/0008-own-refunds.js';
import * as payouts from './migrations/0009-payouts.js';
import * as subscriptions from './migrations/0010-subscriptions.js';
import * as paymentReads from './migrations/0011-payment-reads.js';
import * as endsStand from './migrations/0012-ends-stand.js';
import * as contestedEvents from './migrations/0013-contested-events.js';
import * as payoutReferences from './migrations/0014-payout-references.js';
import * as visibleDoubt from './migrations/0015-visible-doubt.js';
import * as access from './migrations/0016-access.js';
import * as unknownAmounts from './migrations/0017-unknown-amounts.js';
import * as begunReads from './migrations/0018-begun-reads.js';
import * as notifications from './migrations/0019-notifications.js';
import * as itemTotals from './migrations/0020-item-totals.js';
import * as waitingRows from './migrations/0021-waiting-rows.js';
import * as console from './migrations/0025-console.js';
import * as consoleSearch from './migrations/0026-console-search.js';
import * as lostStores from './migrations/0027-lost-stores.js';
import type { EngineTables } from '../schema/schema.js';

export type Database = Kysely<EngineTables>;
/** For writes that must share the transaction of other writes. */
export type DatabaseTransaction = Transaction<EngineTables>;

const pools = new WeakMap<Database, Pick<Pool, 'query'> | FairPool>();

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
  const pool = new Pool({
    connectionString,
    max: poolSize,
    connectionTimeoutMillis: statedConnectTimeoutMs(connectionString) ?? connectTimeoutMs,
    query_timeout: queryTimeoutMs,
    idle_in_transaction_session_timeout: idleInTransactionMs,
    keepAlive: true,
  });
  // A lost connection is replaced on the next use; without listeners its error would end the process. The pool's
  // listener covers only idle connections, so each client has its own, too.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  const shared = share ? new FairPool(pool, { ...share, waitMs: connectTimeoutMs }) : pool;
  const db = new Kysely<EngineTables>({ dialect: new PostgresDialect({ pool: shared }) });
  pools.set(db, shared);
  return db;
}

function statedConnectTimeoutMs(connectionString: string): number | undefined {
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
  const pool = pools.get(db);
  if (!pool) throw new Error('a transaction has no pool');
  return pool;
}

/**
 * Migrates the schema without a time limit, because migrations of large tables take longer than other statements may.
 * Rejects if the database cannot be reached.
 */
export async function migrateDatabase(connectionString: string): Promise<void> {
  const db = openDatabase(connectionString, { poolSize: 2, queryTimeoutMs: 0, idleInTransactionMs: 0 });
  try {
    await migrate(db);
  } finally {
    await db.destroy();
  }
}

/** Migrates the schema. Several processes can call it at the same time: the migrator holds an advisory lock. */
export async function migrate(db: Database): Promise<void> {
  const migrator = new Migrator({
    db,
    provider: {
      getMigrations: async () => ({
        '0001-payments': payments,
        '0002-step-names': stepNames,
        '0003-inbox': inbox,
        '0004-decisions': decisions,
        '0005-reconciliation': reconciliation,
        '0006-refunds': refunds,
        '0007-subjects': subjects,
        '0008-own-refunds': ownRefunds,
        '0009-payouts': payouts,
        '0010-subscriptions': subscriptions,
        '0011-payment-reads': paymentReads,
        '0012-ends-stand': endsStand,
        '0013-contested-events': contestedEvents,
        '0014-payout-references': payoutReferences,
        '0015-visible-doubt': visibleDoubt,
        '0016-access': access,
        '0017-unknown-amounts': unknownAmounts,
        '0018-begun-reads': begunReads,
        '0019-notifications': notifications,
        '0020-item-totals': itemTotals,
        '0021-waiting-rows': waitingRows,
        '0025-console': console,
        '0026-console-search': consoleSearch,
        '0027-lost-stores': lostStores,
      }),
    },
  });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
}

/** True for errors that mean "the database is away", not "the statement is wrong". */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = (error as { code?: unknown }).code;
  if (typeof code === 'string') return /^(ECONN|ETIMEDOUT|EPIPE|ENOTFOUND|EHOSTUNREACH|08|57P|53)/.test(code);
  return /timeout|terminated|Connection ended|not queryable/i.test(error.message);
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
