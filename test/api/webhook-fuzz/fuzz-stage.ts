import { randomBytes, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { sql } from 'kysely';
import type { ProviderApplication } from '#configuration';
import type { Database } from '#database/connection';
import { saveProviderWebhook } from '#database/events';
import { writeTransition } from '#database/transitions';
import { createTestSigner } from '#payments-client/testing';
import {
  type EngineDatabase,
  openEngineDatabase,
  owner,
  storePayment,
  transition,
  withOwnIds,
} from '../../database/engine-database.js';
import { payment } from '../../lifecycle/payment/sample-payments.js';
import { ApiProcess } from '../api-process.js';
import type { FuzzTargets, GenuineDelivery } from './fuzzed-deliveries.js';

/** Applications "shop" (by its address) and "bookshop" (signed), a provider's certificate, and a network to stay out of. */
export interface FuzzStage {
  readonly api: ApiProcess;
  readonly db: Database;
  readonly targets: Omit<FuzzTargets, 'genuine'>;
  /** A delivery that the provider of "bookshop" has signed. */
  genuine(): GenuineDelivery;
  /** Connections that were made to the internal network. */
  intrusions(): number;
  readonly secrets: readonly string[];
  close(): Promise<void>;
}

/** More than the heap ever needs: growth without bound ends the process, and with it the test. */
const heapLimitMiB = 160;

export async function openFuzzStage(): Promise<FuzzStage> {
  const database = await openEngineDatabase();
  const webhookId = `WEBHOOK-${randomUUID()}`;
  const certificates = await listen();
  const signer = await createTestSigner({ certificateAddress: `${certificates.origin}/cert.pem`, webhookId });
  certificates.serve(signer.certificatePem);
  const internal = await openTrap();
  const secrets = [randomBytes(24).toString('hex'), randomBytes(24).toString('hex'), 'the-client-secret'];
  const [shopSecret = '', bookshopSecret = '', clientSecret = ''] = secrets;
  const application = {
    environment: 'sandbox',
    baseUrl: certificates.origin,
    clientId: 'id',
    clientSecret,
  } as const;
  const applications: ProviderApplication[] = [
    {
      ...application,
      application: 'shop',
      webhookSecret: shopSecret,
      webhookAuthentication: 'addressSecret',
    },
    {
      ...application,
      application: 'bookshop',
      clientId: 'bookshop-id',
      webhookSecret: bookshopSecret,
      webhookAuthentication: 'signature',
    },
  ];
  await saveProviderWebhook(database.db, {
    ...owner,
    application: 'bookshop',
    webhookId,
    url: 'https://a.example',
  });
  const resourceIds = await storePayments(database);
  const api = await ApiProcess.start({
    databaseUrl: database.url,
    applications,
    env: {
      NODE_OPTIONS: `--max-old-space-size=${heapLimitMiB}`,
      // All forged deliveries are looked at, not only the first of each minute.
      MAX_FAILURES_PER_ADDRESS_AND_MINUTE: '1000000',
    },
  });
  return {
    api,
    db: database.db,
    secrets,
    targets: {
      secret: `/webhooks/sandbox/shop/${shopSecret}`,
      signed: `/webhooks/sandbox/bookshop/${bookshopSecret}`,
      internal: internal.address,
      trusted: certificates.origin,
      resourceIds,
    },
    genuine: () => {
      const resource = { id: resourceIds[0], state: 'authorized' };
      const eventId = `WH-GENUINE-${randomUUID()}`;
      const event = { id: eventId, event_type: 'PAYMENT.AUTHORIZATION.CREATED' };
      const body = Buffer.from(JSON.stringify({ ...event, resource_type: 'authorization', resource }));
      return { eventId, body, headers: signer.sign(body) };
    },
    intrusions: internal.connections,
    close: async () => {
      await api.close();
      certificates.close();
      internal.close();
      await database.close();
    },
  };
}

/** Payments that have ended, and whose runs are gone. @returns every id by which an event may name them. */
async function storePayments({ db }: EngineDatabase): Promise<string[]> {
  for (const status of ['captured', 'voided', 'expired'] as const) {
    const identity = await storePayment(db);
    const held = payment('captured');
    const captures = status === 'captured' ? held.captures : [];
    await writeTransition(db, transition(identity, withOwnIds({ ...held, status, captures }, identity), 1));
  }
  const resources = await db.selectFrom('resources').select('resource_id').execute();
  return resources.map(({ resource_id }) => resource_id);
}

/** All that a webhook might change about payments, in one number each. */
export async function fingerprintPayments(db: Database): Promise<Record<string, unknown>> {
  const tables = [
    'payments',
    'commands',
    'attempts',
    'resources',
    'timeline',
    'refunds',
    'api_calls',
    'provider_webhooks',
  ];
  const prints = tables.map(async (table) => {
    // A claim that nobody has read yet is a row of its own, and woken are those who look at its payment: it moves nothing.
    const { rows } = await sql<{ print: string }>`
      select count(*) || ' ' || coalesce(md5(string_agg(row::text, '' order by row::text)), '') as print
      from (select to_jsonb(t) - 'refund_changes' - 'updated_at' as row from ${sql.table(table)} t) as rows
      where row->>'status' is distinct from 'observed'`.execute(db);
    return [table, rows[0]?.print] as const;
  });
  return Object.fromEntries(await Promise.all(prints));
}

async function listen() {
  let pem = '';
  const server = createServer((request, response) => {
    if (request.url !== '/cert.pem') response.statusCode = 404;
    response.end(response.statusCode === 200 ? pem : '');
  });
  await new Promise<void>((listening) => {
    server.listen(0, '127.0.0.1', listening);
  });
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    serve: (text: string) => {
      pem = text;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Listens on every loopback address, and counts who comes. */
async function openTrap() {
  let connections = 0;
  const server = createTcpServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((listening) => {
    server.listen(0, '::', listening);
  });
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () => connections,
    close: () => server.close(),
  };
}
