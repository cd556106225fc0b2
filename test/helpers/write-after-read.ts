import type { Pool, PoolClient } from 'pg';
import { onTestFinished } from 'vitest';
import { type Database, openDatabase, poolOf } from '#database/connection/database.js';

/**
 * The same database for a reader, until the test ends, and a write that another connection commits right after the
 * reader's nth statement. Those that begin or end a transaction do not count.
 */
export function writeAfterRead(db: Database, nth: number, write: () => Promise<unknown>): Database {
  const { connectionString } = (poolOf(db) as Pool).options;
  // With a share, so that prepared statements take a client here like all others.
  const reader = openDatabase(connectionString ?? '', { share: { callerNow: () => undefined, most: 1 } });
  onTestFinished(async () => await reader.destroy());
  const pool = poolOf(reader) as unknown as { connect(): Promise<PoolClient> };
  const connect = pool.connect.bind(pool);
  const watched = new WeakSet<PoolClient>();
  let statements = 0;
  pool.connect = async () => {
    const client = await connect();
    if (watched.has(client)) return client;
    watched.add(client);
    const query = client.query.bind(client) as (...statement: unknown[]) => Promise<unknown>;
    const counted = async (...statement: unknown[]): Promise<unknown> => {
      const result = await query(...statement);
      if (isRead(statement[0])) {
        statements += 1;
        if (statements === nth) await write();
      }
      return result;
    };
    client.query = counted as typeof client.query;
    return client;
  };
  return reader;
}

function isRead(statement: unknown): boolean {
  const text = typeof statement === 'string' ? statement : (statement as { text: string }).text;
  return /^\s*(?:select|with)\b/i.test(text);
}
