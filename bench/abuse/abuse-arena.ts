import { createHash, randomBytes } from 'node:crypto';
import { Supervisor } from '#tools/child-processes.js';
import { freePort } from '#tools/ports.js';
import { deleteDataFolder } from '#tools/postgres-installation.js';
import { startPostgres } from '#tools/postgres.js';
import { startApp } from '#tools/app-process.js';
import { freshFolder } from '../harness/fresh-folder.js';

/** The API alone, with payments of two applications. */
export interface AbuseArena {
  readonly origin: string;
  readonly abuser: Tenant;
  readonly other: Tenant;
  close(): Promise<void>;
}

export interface Tenant {
  readonly apiKey: string;
  readonly paymentId: string;
}

/** Payments of the abuser, enough for lists of the maximum length. */
const fullPage = 100;

/** @throws Failure in one sentence; nothing is left running then. */
export async function openAbuseArena(report: (line: string) => void): Promise<AbuseArena> {
  const folder = freshFolder('bench-abuse');
  const supervisor = await Supervisor.open({ dataFolder: folder, onUnexpectedEnd: report });
  const close = async (): Promise<void> => {
    await supervisor.stopAll();
    deleteDataFolder(folder);
  };
  try {
    const postgres = await startPostgres({ supervisor, name: 'postgres' });
    const origin = `http://127.0.0.1:${await freePort()}`;
    const keys = { abuser: secret(), other: secret() };
    await startApp(supervisor, {
      app: 'api',
      name: 'api',
      readyUrl: `${origin}/healthz`,
      env: environment(origin, await postgres.ensureDatabase('engine'), keys),
    });
    const tenant = async (apiKey: string) => ({ apiKey, paymentId: await orderedPayment(origin, apiKey) });
    const abuser = await tenant(keys.abuser);
    for (let nth = 1; nth < fullPage; nth += 1) await orderedPayment(origin, keys.abuser);
    return { origin, abuser, other: await tenant(keys.other), close };
  } catch (error) {
    await close();
    throw error;
  }
}

function environment(origin: string, databaseUrl: string, keys: Readonly<Record<string, string>>) {
  const names = Object.keys(keys);
  return {
    HOST: '127.0.0.1',
    PORT: new URL(origin).port,
    PUBLIC_URL: origin,
    DATABASE_URL: databaseUrl,
    // No server listens there: the measurement needs no run.
    TEMPORAL_ADDRESS: '127.0.0.1:9',
    TEMPORAL_DEADLINE_MS: '500',
    CODEC_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    LOG_LEVEL: 'warn',
    PROVIDER_APPLICATIONS: JSON.stringify(
      names.map((application) => ({
        environment: 'sandbox',
        application,
        baseUrl: 'http://127.0.0.1:9',
        clientId: application,
        clientSecret: secret(),
        webhookSecret: secret(),
        webhookAuthentication: 'signature',
      })),
    ),
    API_KEYS: JSON.stringify(
      Object.entries(keys).map(([application, key]) => ({
        id: application,
        sha256: createHash('sha256').update(key).digest('hex'),
        environment: 'sandbox',
        application,
      })),
    ),
  };
}

/** The row is committed before the start of its run, which fails here. */
async function orderedPayment(origin: string, apiKey: string): Promise<string> {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  await fetch(`${origin}/v1/payments`, {
    method: 'POST',
    headers: { ...headers, 'idempotency-key': secret() },
    body: JSON.stringify({
      orderId: 'order-1',
      amount: { value: '10.00', currency: 'USD' },
      returnUrl: 'https://shop.example/thanks',
      cancelUrl: 'https://shop.example/cart',
    }),
  });
  const answer = await fetch(`${origin}/v1/payments?limit=1`, { headers });
  const { payments } = (await answer.json()) as { payments: readonly { id: string }[] };
  const [payment] = payments;
  if (!payment) throw new Error('the order has left no payment');
  return payment.id;
}

function secret(): string {
  return randomBytes(24).toString('base64url');
}
