import { randomUUID } from 'node:crypto';
import { migrateDatabase } from '#database/connection';
import { Supervisor } from '#tools/supervisor.js';
import { deleteDataFolder } from '#tools/postgres-installation.js';
import { startPostgres } from '#tools/postgres.js';
import { freshFolder } from '../harness/fresh-folder.js';
import { startLoneApi } from '../harness/lone-api.js';
import { mapConcurrently } from '../harness/map-concurrently.js';

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
/** Each waits until Temporal, which is not there, has had its time. */
const ordersAtOnce = 20;

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
    const databaseUrl = await postgres.ensureDatabase('engine');
    await migrateDatabase(databaseUrl);
    const applications = ['abuser', 'other'];
    const { origin, keyOf } = await startLoneApi(supervisor, { name: 'api', databaseUrl, applications });
    const tenant = async (application: string, orders: number): Promise<Tenant> => {
      const apiKey = keyOf(application);
      await mapConcurrently(Array.from({ length: orders }), ordersAtOnce, () => order(origin, apiKey));
      return { apiKey, paymentId: await latestPayment(origin, apiKey) };
    };
    return { origin, abuser: await tenant('abuser', fullPage), other: await tenant('other', 1), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The row is committed before the start of its run, which fails here. */
async function order(origin: string, apiKey: string): Promise<void> {
  await fetch(`${origin}/v1/payments`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    },
    body: JSON.stringify({
      orderId: 'order-1',
      amount: { value: '10.00', currency: 'USD' },
      returnUrl: 'https://shop.example/thanks',
      cancelUrl: 'https://shop.example/cart',
    }),
  });
}

async function latestPayment(origin: string, apiKey: string): Promise<string> {
  const answer = await fetch(`${origin}/v1/payments?limit=1`, {
    headers: { authorization: `Bearer ${apiKey}` },
  });
  const { data } = (await answer.json()) as { data: readonly { id: string }[] };
  const [payment] = data;
  if (!payment) throw new Error('the order has left no payment');
  return payment.id;
}
