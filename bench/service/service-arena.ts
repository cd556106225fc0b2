import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Supervisor } from '#tools/supervisor.js';
import { freePort } from '#tools/ports.js';
import { deleteDataFolder } from '#tools/postgres-installation.js';
import { startPostgres, type Postgres } from '#tools/postgres.js';
import { migrateSandboxDatabase, startApp } from '#tools/app-process.js';
import { freshFolder } from '../harness/fresh-folder.js';
import { Target, type Shot } from './load.js';
import { multiplyRows } from './many-rows.js';

/** As many database connections as the service opens by default. */
const POOL_SIZE = 16;
const CONNECTIONS = 32;
const CLIENT = { id: 'bench', secret: 'bench-secret' };

/** The payments service alone, beside bare Fastify on the same database, and beside itself with more rows. */
export interface ServiceArena {
  readonly service: FilledService;
  readonly crowded: FilledService;
  readonly bare: Target;
  close(): Promise<void>;
}

export interface Service {
  readonly target: Target;
  readonly databaseUrl: string;
  /** Of the default application. */
  readonly headers: Record<string, string>;
}

/** A service whose application has many equal payments and events. */
export interface FilledService extends Service {
  /** Of every payment. */
  readonly payeeId: string;
}

export interface ServiceArenaOptions {
  readonly report: (line: string) => void;
  /** Payments and events of the two services that are compared. */
  readonly fewRows: number;
  readonly manyRows: number;
}

/** @throws Failure in one sentence; nothing is left running then. */
export async function openServiceArena(options: ServiceArenaOptions): Promise<ServiceArena> {
  const folder = freshFolder('bench-service');
  const supervisor = await Supervisor.open({ dataFolder: folder, onUnexpectedEnd: options.report });
  let bare: { target: Target; process: ChildProcess } | undefined;
  const targets: Target[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(targets.map((target) => target.close()));
    bare?.process.disconnect();
    await supervisor.stopAll();
    deleteDataFolder(folder);
  };
  try {
    const postgres = await startPostgres({ supervisor, name: 'postgres' });
    const few = await startService(supervisor, postgres, 'few');
    const many = await startService(supervisor, postgres, 'many');
    targets.push(few.target, many.target);
    options.report(`copying rows: ${options.fewRows} and ${options.manyRows} …`);
    const service = await fill(few, options.fewRows);
    const crowded = await fill(many, options.manyRows);
    bare = await startBare(service.databaseUrl);
    targets.push(bare.target);
    return { service, crowded, bare: bare.target, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function startService(supervisor: Supervisor, postgres: Postgres, name: string): Promise<Service> {
  const databaseUrl = await postgres.ensureDatabase(name);
  await migrateSandboxDatabase(databaseUrl);
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  await startApp(supervisor, {
    app: 'sandbox',
    name: `service-${name}`,
    readyUrl: `${origin}/healthz`,
    env: {
      PORT: String(port),
      DATABASE_URL: databaseUrl,
      SANDBOX_CLIENT_ID: CLIENT.id,
      SANDBOX_CLIENT_SECRET: CLIENT.secret,
      LOG_LEVEL: 'warn',
    },
  });
  const target = new Target(origin, CONNECTIONS);
  const answer = (await target.send({
    method: 'POST',
    path: '/v1/oauth2/token',
    headers: {
      authorization: `Basic ${Buffer.from(`${CLIENT.id}:${CLIENT.secret}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: 'grant_type=client_credentials',
  })) as { access_token: string };
  const headers = { authorization: `Bearer ${answer.access_token}`, 'content-type': 'application/json' };
  return { target, databaseUrl, headers };
}

interface CreatedPayment {
  id: string;
  transactions: [{ payee: { merchant_id: string } }];
}

/** One payment approved by the payer's hand leaves the event that is multiplied. */
async function fill(service: Service, rows: number): Promise<FilledService> {
  const { id, transactions } = (await service.target.send(createShot(service))) as CreatedPayment;
  await service.target.send({ method: 'POST', path: `/admin/payments/${id}/approve` });
  await multiplyRows(service.databaseUrl, CLIENT.id, rows);
  return { ...service, payeeId: transactions[0].payee.merchant_id };
}

export function createShot({ headers }: Service): Shot {
  const body = JSON.stringify({
    intent: 'authorize',
    payer: { payment_method: 'wallet' },
    redirect_urls: { return_url: 'http://127.0.0.1:9/return', cancel_url: 'http://127.0.0.1:9/cancel' },
    transactions: [{ amount: { total: '10.00', currency: 'USD' }, invoice_number: 'bench' }],
  });
  return { method: 'POST', path: '/v1/payments/payment', headers, body };
}

async function startBare(databaseUrl: string): Promise<{ target: Target; process: ChildProcess }> {
  const script = fileURLToPath(new URL('../bare-server.js', import.meta.url));
  const server = fork(script, [String(POOL_SIZE)], { env: { ...process.env, DATABASE_URL: databaseUrl } });
  const [port] = (await once(server, 'message')) as [number];
  return { target: new Target(`http://127.0.0.1:${port}`, CONNECTIONS), process: server };
}
