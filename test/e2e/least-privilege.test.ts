import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '#database/connection';
import { projectRoot } from '#tools/project.js';
import { ApiProcess } from '../api/api-process.js';
import { consolePassword, consoleUsers } from '../console/console-users.js';
import { createDatabase, type TestDatabase } from '../helpers/database.js';
import { type Engine, startEngine } from '../helpers/engine.js';
import { OrderService } from '../helpers/order-service.js';
import { until } from '../helpers/until.js';
import { WorkerProcess } from './worker-process.js';

const password = randomBytes(16).toString('hex');
const orderKey = randomBytes(16).toString('hex');
const taskQueue = `least-privilege-${randomBytes(4).toString('hex')}`;
const roles = ['engine_owner', 'engine_api', 'engine_worker', 'engine_purge'] as const;
type Role = (typeof roles)[number];

let database: TestDatabase;
let engine: Engine;
let api: ApiProcess;
let worker: WorkerProcess;
let orders: OrderService;
const opened = new Map<Role, Database>();
beforeAll(async () => {
  [database, engine] = await Promise.all([
    createDatabase(),
    startEngine({ approval: 'immediate', withWorker: false }),
  ]);
  await makeRoles();
  await run('migrate', {
    DATABASE_URL: urlOf('engine_owner'),
    API_ROLE: 'engine_api',
    WORKER_ROLE: 'engine_worker',
    PURGE_ROLE: 'engine_purge',
  });
  for (const role of roles) opened.set(role, openDatabase(urlOf(role), { poolSize: 1 }));
  const { clientId: _id, clientSecret: _secret, ...served } = engine.application;
  const shared = { CODEC_KEYS: engine.apiVariables['CODEC_KEYS']!, TEMPORAL_TASK_QUEUE: taskQueue };
  api = await ApiProcess.start({
    databaseUrl: urlOf('engine_api'),
    applications: [served],
    env: {
      ...shared,
      API_KEYS: JSON.stringify([
        { id: 'k', sha256: hash(orderKey), environment: 'sandbox', application: 'shop' },
      ]),
      CONSOLE_USERS: JSON.stringify(consoleUsers),
    },
  });
  worker = await WorkerProcess.start(engine, {
    ...shared,
    DATABASE_URL: urlOf('engine_worker'),
    PUBLIC_URL: api.url,
    WEBHOOK_REPAIR_INTERVAL_MS: '1000',
    RECONCILE_INTERVAL_MS: '1000',
  });
  orders = new OrderService(api.url, orderKey);
});
afterAll(async () => {
  await worker.close();
  await api.close();
  await Promise.all([...opened.values()].map((each) => each.destroy()));
  await engine.close();
  await database.drop();
});

/** As deploy/postgres/roles.sql says, by who owns the database. */
async function makeRoles(): Promise<void> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  try {
    await client.query(readFileSync(join(projectRoot, 'deploy/postgres/roles.sql'), 'utf8'));
    for (const role of roles) await client.query(`alter role ${role} password '${password}'`);
  } finally {
    await client.end();
  }
}

function urlOf(role: Role): string {
  const url = new URL(database.url);
  url.username = role;
  url.password = password;
  return url.href;
}

async function run(command: string, env: Readonly<Record<string, string>>): Promise<string> {
  const program = join(projectRoot, `dist/tools/${command}.js`);
  return (await promisify(execFile)(process.execPath, [program], { env: { ...process.env, ...env } })).stdout;
}

const hash = (text: string) => createHash('sha256').update(text).digest('hex');
const as = async (role: Role, statement: string) => await sql.raw(statement).execute(opened.get(role)!);
const seen = async (query: string) => (await as('engine_purge', query)).rows as { status?: string }[];
const settled = async () => await seen('select status from webhook_events');
const searched = async () => await seen('select from reconciliations where payments_compared_at is not null');

describe('an engine whose processes may not change the schema, and whose API has no credentials of the provider', () => {
  it('plays a payment from the order to its refund, with webhooks and reconciliation', async () => {
    const { body } = await orders.order();
    await orders.reaches(body.id, 'authorized');
    expect((await orders.capture(body.id)).status).toBeLessThan(300);
    await orders.reaches(body.id, 'captured');
    expect((await orders.refund(body.id)).status).toBeLessThan(300);
    await until(
      settled,
      (events) => events.length >= 2 && events.every(({ status }) => status === 'applied'),
      'webhook events to be applied',
    );
    await until(searched, (rows) => rows.length > 0, 'a round of reconciliation');
    expect(worker.log() + api.log()).not.toContain('42501');
  });

  it('signs a user in and records it', async () => {
    expect(await signIn('wrong')).toBe(403);
    expect(await signIn(consolePassword)).toBe(303);
    const { rows } = await as('engine_purge', 'select action from console_audit order by id');
    expect(rows).toEqual([{ action: 'sign-in refused' }, { action: 'sign-in' }]);
    expect(api.log()).not.toContain('42501');
  });

  it('is purged under a role that can only delete what a purge deletes', async () => {
    await as(
      'engine_owner',
      "update webhook_events set subject_id = null, received_at = now() - interval '31 days'",
    );
    await as(
      'engine_owner',
      `insert into provider_resends (webhook_event_id, requested_by, request_key, finished_at)
        select id, 'somebody', 'form', now() from webhook_events`,
    );
    const kept = { apiCalls: 30, webhookEvents: 30, sessions: 365 };
    const env = {
      DATABASE_URL: urlOf('engine_purge'),
      RETENTION_DAYS: JSON.stringify({ sandbox: kept, live: kept }),
    };
    const { length } = await settled();
    expect(length).toBeGreaterThan(0);
    expect(JSON.parse(await run('purge', env))).toMatchObject({ apiCalls: 0, webhookEvents: length });
    expect((await as('engine_purge', 'select from provider_resends')).rows).toEqual([]);
  });
});

describe.each([
  ['engine_api', 'create table more (id text)'],
  ['engine_api', 'alter table payments add column more text'],
  ['engine_api', 'drop table payments'],
  ['engine_api', 'delete from payments'],
  ['engine_api', 'delete from timeline'],
  ['engine_api', 'update console_audit set user_name = null'],
  ['engine_api', 'delete from console_audit'],
  ['engine_api', 'update api_calls set status = 200'],
  ['engine_api', 'delete from kysely_migration'],
  ['engine_worker', 'create table more (id text)'],
  ['engine_worker', 'select from console_audit'],
  ['engine_worker', 'select from console_sessions'],
  ['engine_worker', 'delete from commands'],
  ['engine_worker', 'truncate webhook_events'],
  ['engine_purge', 'delete from payments'],
  ['engine_purge', 'update payments set status = status'],
  ['engine_purge', 'insert into timeline (subject_id) values (null)'],
] as const)('%s', (role, statement) => {
  it(`may not: ${statement}`, async () => {
    await expect(as(role, statement)).rejects.toMatchObject({ code: '42501' });
  });
});

async function signIn(given: string): Promise<number> {
  const form = await fetch(`${api.url}/console/sign-in`);
  const token = /name="_csrf" value="([^"]+)"/.exec(await form.text())?.[1] ?? '';
  const cookie = form.headers.getSetCookie().map((each) => each.split(';')[0]);
  const { status } = await fetch(`${api.url}/console/sign-in`, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie: cookie.join('; ') },
    body: new URLSearchParams({ _csrf: token, name: 'anna', password: given, next: '/console' }),
  });
  return status;
}
