import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Supervisor } from '#tools/supervisor.js';
import { deleteDataFolder } from '#tools/postgres-installation.js';
import { startPostgres, type Postgres } from '#tools/postgres.js';
import { childrenOf, isAlive } from '#tools/process-table.js';

describe('a local PostgreSQL', () => {
  let supervisor: Supervisor;
  let postgres: Postgres;

  beforeEach(async () => {
    // A private folder of root's, which the user that runs PostgreSQL cannot enter: the hardest case.
    supervisor = await Supervisor.open({ dataFolder: mkdtempSync(join(tmpdir(), 'postgres-')) });
    postgres = await startPostgres({ supervisor, name: 'postgres' });
  });
  afterEach(async () => {
    await supervisor.stopAll();
    deleteDataFolder(supervisor.dataFolder);
  });

  it('keeps what was committed when it is killed with all its backends', async () => {
    const url = await postgres.ensureDatabase('books');
    await query(url, 'CREATE TABLE entry AS SELECT 42 AS amount');
    const backends = childrenOf(postgres.process.pid!);
    await postgres.crash();
    expect(backends.filter(isAlive)).toEqual([]);
    await postgres.process.start();
    expect(await query(url, 'SELECT amount FROM entry')).toEqual([{ amount: 42 }]);
  });

  it('starts again after its server alone was killed, with what was committed', async () => {
    const url = await postgres.ensureDatabase('books');
    await query(url, 'CREATE TABLE entry AS SELECT 42 AS amount');
    await postgres.process.kill();
    await postgres.process.start();
    expect(await query(url, 'SELECT amount FROM entry')).toEqual([{ amount: 42 }]);
  });

  it('is durable by its settings', async () => {
    const settings = `SELECT name, setting FROM pg_settings WHERE name IN ('fsync', 'synchronous_commit', 'full_page_writes')`;
    expect((await query(postgres.url('postgres'), settings)).map(({ setting }) => setting)).toEqual([
      'on',
      'on',
      'on',
    ]);
  });

  it('refuses a connection without the password', async () => {
    const url = new URL(postgres.url('postgres'));
    url.password = 'guess';
    await expect(query(url.href, 'SELECT 1')).rejects.toThrow('password authentication failed');
  });

  it('creates a database once, even when asked again', async () => {
    expect(await postgres.ensureDatabase('books')).toBe(await postgres.ensureDatabase('books'));
  });
});

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(text);
  await client.end();
  return rows as Record<string, unknown>[];
}
