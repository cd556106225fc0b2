import type { Client } from 'pg';

/** What a PostgreSQL server has done, by its own counters. */
export interface DatabaseWork {
  /** Statements carried out, each a round trip; `begin` and `commit` count, too. */
  readonly statements: number;
  /** Transactions committed, those that only read included. */
  readonly commits: number;
  /** Of the whole server, because a log has no database. */
  readonly walBytes: number;
}

/** Settings of a server whose work is counted. */
export const countingSettings = { shared_preload_libraries: 'pg_stat_statements' };

/** Once for each server. @param client connected to its database `postgres`. */
export async function beginCounting(client: Client): Promise<void> {
  await client.query('create extension if not exists pg_stat_statements');
}

/** The servers' counts of commits are a second late, so they are read when nothing has happened for longer than that. */
export const countsSettleMs = 1_500;

/** What it has done so far in these databases. */
export async function databaseWork(client: Client, databases: readonly string[]): Promise<DatabaseWork> {
  const { rows } = await client.query<Record<keyof DatabaseWork, string>>(
    `select
       (select coalesce(sum(s.calls), 0) from pg_stat_statements s join pg_database d on d.oid = s.dbid
         where d.datname = any($1)) as statements,
       (select coalesce(sum(xact_commit), 0) from pg_stat_database where datname = any($1)) as commits,
       pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') as "walBytes"`,
    [databases],
  );
  const [counted] = rows;
  if (!counted) throw new Error('a server that does not tell what it has done');
  return {
    statements: Number(counted.statements),
    commits: Number(counted.commits),
    walBytes: Number(counted.walBytes),
  };
}
