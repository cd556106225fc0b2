import { Kysely, PostgresDialect } from 'kysely';
import { Pool, types } from 'pg';
import type { Logger } from 'pino';
import { requireSchema } from './migrate.js';
import { PreparingClient } from './prepared.js';
import type { Tables } from './tables.js';

/**
 * What is acknowledged must survive a kill, whatever the server's own default; a stuck statement must not hold locks.
 */
const SESSION =
  '-c synchronous_commit=on -c statement_timeout=20000 -c idle_in_transaction_session_timeout=30000';

/** Connections of one pool. A lost one is logged and replaced; a caller that waits for its answer gets an error. */
export function openPool(url: string, size: number, logger: Logger, moreOptions = ''): Pool {
  // libpq's parameter of the address, in seconds; node-postgres itself does not read it.
  const statedSeconds = Number(/[?&]connect_timeout=(\d+)/.exec(url)?.[1] ?? 5);
  const pool = new Pool({
    Client: PreparingClient,
    connectionString: url,
    max: size,
    options: `${SESSION} ${moreOptions}`,
    connectionTimeoutMillis: statedSeconds * 1_000,
    types: { getTypeParser: parserOf },
  });
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => logger.warn('an idle database connection was lost'));
  // One that breaks between two statements of a transaction is reported nowhere else.
  pool.on('connect', (client) => client.on('error', () => logger.warn('a database connection was lost')));
  return pool;
}

/**
 * Opens a pool on `url`.
 * @throws when the database is down or lacks a migration of this version. It may have those of a newer one.
 */
export async function openDatabase(url: string, poolSize: number, logger: Logger): Promise<Kysely<Tables>> {
  const pool = openPool(url, poolSize, logger);
  const database = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  try {
    await requireSchema(database);
  } catch (error) {
    await database.destroy();
    throw error;
  }
  return database;
}

/** bigint columns hold minor units, counters and row numbers only: whole numbers below 2^53. */
const parserOf: typeof types.getTypeParser = (oid, format) =>
  oid === types.builtins.INT8 && format !== 'binary' ? readSafeInteger : types.getTypeParser(oid, format);

function readSafeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError('A stored number is beyond 2^53');
  return value;
}
