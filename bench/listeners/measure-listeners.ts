import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { migrateDatabase } from '#database/connection';
import { Supervisor } from '#tools/supervisor.js';
import { deleteDataFolder } from '#tools/postgres-installation.js';
import { startPostgres } from '#tools/postgres.js';
import { freshFolder } from '../harness/fresh-folder.js';
import type { BenchOptions } from '../harness/fresh-stack.js';
import type { Plans } from '../harness/plan.js';
import { residentMiB } from '../harness/resident-memory.js';
import { until } from '../harness/until.js';
import { type LoneApi, startLoneApi } from '../harness/lone-api.js';
import { RawListener } from './listening.js';

export interface ListenerPlan {
  readonly listeners: number;
  /** Notifications that each listener to all events gets while memory is measured. */
  readonly events: number;
  /** Whether one that takes nothing is waited for: two minutes. */
  readonly hasSlowOne: boolean;
}

const full: ListenerPlan = { listeners: 1_000, events: 50, hasSlowOne: true };
const quick: ListenerPlan = { ...full, hasSlowOne: false };

export const listenerPlans: Plans<ListenerPlan> = { full, quick, besideOthers: full, brief: quick };

export interface ListenerFigures {
  /** What the API's resident memory has grown by, with all of them open and told. */
  readonly listenersMiBPer1000?: number;
  /** Connections that the API has to the database, before and with all listeners. */
  readonly listenersConnections: readonly [before: number, after: number];
  readonly slowListener?: SlowListener;
}

/** A listener that takes nothing. */
interface SlowListener {
  readonly isCutOff: boolean;
  readonly heardBefore: number;
  readonly heardAfterResuming: number;
  /** Notifications that it was never told. */
  readonly missed: number;
}

export async function measureListeners(plan: ListenerPlan, options: BenchOptions): Promise<ListenerFigures> {
  const folder = freshFolder('bench-listeners');
  const supervisor = await Supervisor.open({ dataFolder: folder, onUnexpectedEnd: options.report });
  const db = { client: undefined as Client | undefined };
  const listeners: RawListener[] = [];
  try {
    const postgres = await startPostgres({ supervisor, name: 'postgres' });
    const databaseUrl = await postgres.ensureDatabase('engine');
    await migrateDatabase(databaseUrl);
    const api = await startLoneApi(supervisor, { name: 'api', databaseUrl, applications: ['shop', 'slow'] });
    db.client = new Client({ connectionString: databaseUrl });
    await db.client.connect();
    const figures = await measureGrowth(plan, { api, client: db.client, listeners, report: options.report });
    const slowListener = plan.hasSlowOne ? await watchSlowOne(api, db.client, options.report) : undefined;
    return { ...figures, ...(slowListener && { slowListener }) };
  } finally {
    for (const listener of listeners) listener.close();
    await db.client?.end();
    await supervisor.stopAll();
    deleteDataFolder(folder);
  }
}

interface Scene {
  readonly api: LoneApi;
  readonly client: Client;
  /** Those that are opened are added, to be closed. */
  readonly listeners: RawListener[];
  readonly report: (line: string) => void;
}

async function measureGrowth(
  plan: ListenerPlan,
  { api, client, listeners, report }: Scene,
): Promise<Pick<ListenerFigures, 'listenersMiBPer1000' | 'listenersConnections'>> {
  const headers = api.headersOf('shop');
  const paymentId = await orderedPayment(api);
  // Warm: code is compiled, and the pool has all connections that it ever opens for usual requests.
  for (let n = 0; n < 30; n += 1)
    await Promise.all(Array.from({ length: 10 }, () => getJson(api, `/v1/payments/${paymentId}`)));
  await sleep(settleMs);
  const before = memoryOf(api);
  const connectionsBefore = await connectionsOf(client);
  report(`listeners: opening ${plan.listeners} …`);
  for (let n = 0; n < plan.listeners; n += 1) {
    const path = n % 2 === 0 ? '/v1/events' : `/v1/payments/${paymentId}/events`;
    listeners.push(await RawListener.open(api.origin, path, headers));
  }
  report(`listeners: open, ${memoryOf(api)?.toFixed(0)} MiB instead of ${before?.toFixed(0)}`);
  for (let n = 0; n < plan.events; n += 1)
    await notify(client, { application: 'shop', subjectId: paymentId, bytes: 1_000 });
  await until(async () => listeners.every(({ heard }) => heard.length >= plan.events), 100);
  await sleep(settleMs);
  const after = memoryOf(api);
  report(`listeners: each was told ${plan.events} events, ${after?.toFixed(0)} MiB`);
  return {
    ...(before !== undefined &&
      after !== undefined && {
        listenersMiBPer1000: Number((((after - before) * 1_000) / plan.listeners).toFixed(1)),
      }),
    listenersConnections: [connectionsBefore, await connectionsOf(client)],
  };
}

const settleMs = 5_000;

function memoryOf({ process }: LoneApi): number | undefined {
  return residentMiB({ apis: [process], workers: [] })?.api;
}

async function connectionsOf(client: Client): Promise<number> {
  const { rows } = await client.query<{ count: string }>(
    `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
  );
  return Number(rows[0]?.count);
}

/** A notification whose body is made already. @returns its id. */
async function notify(
  client: Client,
  {
    application,
    subjectId,
    bytes,
  }: { readonly application: string; readonly subjectId: string; readonly bytes: number },
): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    `WITH made AS (SELECT 'evt_' || replace(gen_random_uuid()::text, '-', '') AS id)
     INSERT INTO notifications (id, environment, application, type, subject_id, payload)
     SELECT id, 'sandbox', $1, 'payment.authorized', $2, json_build_object('id', id, 'filler', repeat('x', $3))::text
     FROM made RETURNING id`,
    [application, subjectId, bytes],
  );
  return rows[0]?.id ?? '';
}

/** Long enough for all buffers between the processes, and more. */
const manyEvents = 300;
const longBytes = 100_000;
/** It is cut off when it has taken nothing from one look, a minute after the last one, to the next. */
const cutOffWithinMs = 130_000;

async function watchSlowOne(api: LoneApi, client: Client, report: Scene['report']): Promise<SlowListener> {
  report('listeners: one that takes nothing for two minutes …');
  const headers = api.headersOf('slow');
  const listener = await RawListener.open(api.origin, '/v1/events', headers);
  listener.pause();
  const told: string[] = [];
  for (let n = 0; n < manyEvents; n += 1)
    told.push(await notify(client, { application: 'slow', subjectId: 'pay_slow', bytes: longBytes }));
  await sleep(cutOffWithinMs);
  listener.resume();
  await until(async () => listener.hasEnded || listener.heard.length >= told.length, 100);
  const isCutOff = listener.hasEnded;
  listener.close();
  const next = await RawListener.open(api.origin, '/v1/events', {
    ...headers,
    'last-event-id': listener.place,
  });
  await until(async () => next.heard.at(-1)?.notification === told.at(-1), 100);
  next.close();
  const heard = new Set([...listener.heard, ...next.heard].map(({ notification }) => notification));
  return {
    isCutOff,
    heardBefore: listener.heard.length,
    heardAfterResuming: next.heard.length,
    missed: told.filter((id) => !heard.has(id)).length,
  };
}

async function orderedPayment(api: LoneApi): Promise<string> {
  // The row is committed before the start of its run, which fails here.
  await fetch(`${api.origin}/v1/payments`, {
    method: 'POST',
    headers: { ...api.headersOf('shop'), 'content-type': 'application/json', 'idempotency-key': 'listeners' },
    body: JSON.stringify({
      orderId: 'order-1',
      amount: { value: '10.00', currency: 'USD' },
      returnUrl: 'https://shop.example/thanks',
      cancelUrl: 'https://shop.example/cart',
    }),
  });
  const { data } = (await getJson(api, '/v1/payments?limit=1')) as { data: readonly { id: string }[] };
  const [payment] = data;
  if (!payment) throw new Error('the order has left no payment');
  return payment.id;
}

async function getJson({ origin, headersOf }: LoneApi, path: string): Promise<unknown> {
  const answer = await fetch(`${origin}${path}`, { headers: headersOf('shop') });
  return await answer.json();
}
