import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { inject } from 'vitest';

/**
 * A server that this run's own tests keep busy is not away: connections and statements wait longer than a machine of a
 * quarter of the speed needs. The statement_timeout of the server is in force, where there is one, as well.
 */
const patience = { connect_timeout: '120', query_timeout: '240000' };

export interface TestDatabase {
  /** With patience; see withUsualTimeouts. */
  readonly url: string;
  /**
   * Ends its connections. The files stay until the run ends, 8 MB: on ext4, after sixty dropped databases the next one
   * took 300 ms instead of 50, probably because of the files that were deleted.
   */
  drop(): Promise<void>;
}

/** A fresh database in the cluster of this test run: an empty one, or a copy of another. */
export async function createDatabase(template = 'template1'): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  const cluster = inject('postgresUrl');
  await execute(cluster, `CREATE DATABASE ${name} TEMPLATE ${template}`);
  const url = new URL(cluster);
  url.pathname = `/${name}`;
  url.search = new URLSearchParams(patience).toString();
  const endOfConnections = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`;
  return { url: url.href, drop: () => execute(cluster, endOfConnections) };
}

/** A database as the step of a release leaves it: what API and worker start on. */
export async function createEngineDatabase(): Promise<TestDatabase> {
  return await createDatabase(inject('templates').engine);
}

/** The same for the sandbox. */
export async function createSandboxDatabase(): Promise<TestDatabase> {
  return await createDatabase(inject('templates').sandbox);
}

/** The same database under the time limits of production, for tests of them. */
export function withUsualTimeouts(databaseUrl: string): URL {
  const url = new URL(databaseUrl);
  url.search = '';
  return url;
}

async function execute(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
