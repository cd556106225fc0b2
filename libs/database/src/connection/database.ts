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
import type { EngineTables } from '../schema/schema.js';

export type Database = Kysely<EngineTables>;
/** For what holds only together with what else is written. */
export type DatabaseTransaction = Transaction<EngineTables>;

const pools = new WeakMap<Database, Pool>();

// int8 is used for row ids, far below 2^53, and for amounts, which are safe integers wherever they are read.
types.setTypeParser(types.builtins.INT8, Number);

export interface DatabaseOptions {
  readonly poolSize?: number;
  /**
   * How long a caller waits for a connection before an error says that the database is away. `connect_timeout` of the
   * address, in seconds, goes before: who runs the database knows how far away and how loaded it may be.
   */
  readonly connectTimeoutMs?: number;
  /** The same for one statement: a database that hangs is as far away as one that is down. */
  readonly queryTimeoutMs?: number;
  /** After this long the server takes the locks of a transaction whose process stands still, and gives it up. */
  readonly idleInTransactionMs?: number;
  /** Absent: whoever comes first has it, be it all. */
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
  // A lost connection is replaced on next use; without listeners it would end the process. The pool's own hears idle
  // connections only: one that is lost between two statements of a transaction tells nobody but its client.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  const shared = share ? new FairPool(pool, { ...share, waitMs: connectTimeoutMs }) : pool;
  const db = new Kysely<EngineTables>({ dialect: new PostgresDialect({ pool: shared }) });
  pools.set(db, pool);
  return db;
}

function statedConnectTimeoutMs(connectionString: string): number | undefined {
  const seconds = /[?&]connect_timeout=(\d+)/.exec(connectionString)?.[1];
  return seconds === undefined ? undefined : Number(seconds) * 1_000;
}

/**
 * The connections of a database that was opened here, for what Kysely cannot ask of them.
 *
 * @throws for a transaction, which has but one.
 */
export function poolOf(db: Database): Pool {
  const pool = pools.get(db);
  if (!pool) throw new Error('a transaction has no pool');
  return pool;
}

/**
 * Brings the schema up to date, however long that takes: on large tables longer than any other statement may. Rejects
 * while the database cannot be reached.
 */
export async function migrateDatabase(connectionString: string): Promise<void> {
  const db = openDatabase(connectionString, { poolSize: 2, queryTimeoutMs: 0, idleInTransactionMs: 0 });
  try {
    await migrate(db);
  } finally {
    await db.destroy();
  }
}

/** Brings the schema up to date. Safe from several processes at once: the migrator holds an advisory lock. */
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

/** True when a text holds NUL, which PostgreSQL cannot keep or compare. */
export function isUnstorableText(error: unknown): boolean {
  return error instanceof Error && (error as { code?: unknown }).code === '22021';
}

/** True when a row was refused because the unique constraint already has one like it. */
export function isDuplicateOf(error: unknown, constraint: string): boolean {
  if (!(error instanceof Error)) return false;
  const { code, constraint: violated } = error as { code?: unknown; constraint?: unknown };
  return code === '23505' && violated === constraint;
}

/** True when a statement was refused as a whole, because the row stands elsewhere than its writer knows (migration 0012). */
export function isOvertaken(error: unknown): boolean {
  return error instanceof Error && (error as { code?: unknown }).code === 'PLE01';
}
