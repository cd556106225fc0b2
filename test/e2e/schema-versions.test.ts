import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { migrateSandbox } from '#sandbox/sandbox.js';
import { MIGRATIONS } from '#sandbox/database/migrations.js';
import { migrateDatabase } from '#database/connection';
import { migrations } from '#database/connection/migrations.js';
import { startApp } from '#tools/app-process.js';
import { Supervisor } from '#tools/supervisor.js';
import { freePort } from '#tools/ports.js';
import { ApiProcess } from '../api/api-process.js';
import { createDatabase } from '../helpers/database.js';
import { startEngine } from '../helpers/engine.js';
import { forAllTests } from '../helpers/shared.js';
import { WorkerProcess } from './worker-process.js';

const newest = Object.keys(migrations).at(-1)!;
const beforeNewest = Object.fromEntries(Object.entries(migrations).slice(0, -1));

/** What a later release may add while processes of this one work: docs/changing-the-schema.md. */
const laterRelease: Migration = {
  up: async (db) => {
    await sql`alter table payments add column of_a_later_release text`.execute(db);
    await sql`alter table commands add column counted integer not null default 0`.execute(db);
    await sql`create table things_of_a_later_release (id text primary key)`.execute(db);
  },
};

describe('processes of this release on the schema of a later one', () => {
  let api: ApiProcess;
  let worker: WorkerProcess;
  const engine = forAllTests(() => startEngine({ approval: 'immediate', withWorker: false }));
  beforeAll(async () => {
    await migrateDatabase(engine.databaseUrl, { ...migrations, '9999-of-a-later-release': laterRelease });
  });
  afterAll(async () => {
    await worker.close();
    await api.close();
  });

  it('start, and work with those that have run since before it', async () => {
    const { databaseUrl, application, apiVariables } = engine;
    worker = await WorkerProcess.start(engine, { CODEC_KEYS: apiVariables['CODEC_KEYS']! });
    api = await ApiProcess.start({ databaseUrl, applications: [application], env: apiVariables });
    const { body } = await engine.orders.order();
    await engine.orders.reaches(body.id, 'authorized');
    const { status } = await fetch(`${api.url}/readyz`);
    expect(status).toBe(200);
  });

  it('find it already migrated by their own step, which changes nothing', async () => {
    await migrateDatabase(engine.databaseUrl);
    const { rows } = await sql`select name from kysely_migration where name like '9999%'`.execute(engine.db);
    expect(rows).toHaveLength(1);
  });
});

describe('processes of this release on the schema of the one before', () => {
  let supervisor: Supervisor;
  const database = forAllTests(createDatabase);
  beforeAll(async () => {
    await migrateDatabase(database.url, beforeNewest);
    supervisor = await Supervisor.open({ dataFolder: mkdtempSync(join(tmpdir(), 'schema-versions-')) });
  });
  afterAll(async () => {
    await supervisor.stopAll();
    rmSync(supervisor.dataFolder, { recursive: true, force: true });
  });

  const application = {
    environment: 'sandbox',
    application: 'shop',
    baseUrl: 'http://127.0.0.1:9',
    clientId: 'id',
    clientSecret: 'secret',
    webhookSecret: 'x'.repeat(24),
    webhookAuthentication: 'signature',
  } as const;
  const variables = {
    PUBLIC_URL: 'http://127.0.0.1:9',
    CODEC_KEYS: `k:${Buffer.alloc(32).toString('base64')}`,
    PROVIDER_APPLICATIONS: JSON.stringify([application]),
    API_KEYS: JSON.stringify([
      { id: 'k', sha256: '0'.repeat(64), environment: 'sandbox', application: 'shop' },
    ]),
  };

  it.each(['api', 'worker'] as const)('the %s does not start, and says what is missing', async (app) => {
    const port = String(await freePort());
    const started = startApp(supervisor, {
      app,
      name: app,
      readyUrl: `http://127.0.0.1:${port}/healthz`,
      env: { ...variables, DATABASE_URL: database.url, PORT: port, HEALTH_PORT: '0' },
    });
    await expect(started).rejects.toThrow(
      `lacks the migration ${newest}. Run "npm run migrate" of this version first.`,
    );
  });

  it('the sandbox does not start, and says what is missing', async () => {
    const own = await createDatabase();
    await migrateSandbox(own.url, Object.fromEntries(Object.entries(MIGRATIONS).slice(0, -1)));
    const port = String(await freePort());
    const started = startApp(supervisor, {
      app: 'sandbox',
      name: 'sandbox',
      readyUrl: `http://127.0.0.1:${port}/healthz`,
      env: { DATABASE_URL: own.url, PORT: port },
    });
    await expect(started).rejects.toThrow(`lacks the migration ${Object.keys(MIGRATIONS).at(-1)!}`);
    await own.drop();
  });
});
