import { randomBytes, randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { serveHealth } from '#worker/process/health.js';
import { startWorker } from '#worker/worker.js';
import { workerEnvironment } from '#worker/worker-config.js';
import { readEnvironment } from '#configuration';
import { ApiFixture, temporalAt } from '../api/api-fixture.js';
import { TcpProxy } from '../api/tcp-proxy.js';
import { createEngineDatabase } from '../helpers/database.js';
import { forAllTests } from '../helpers/shared.js';
import { until } from '../helpers/until.js';

let proxies: { readonly database: TcpProxy; readonly temporal: TcpProxy };
let databaseUrl: string;
let temporalAddress: string;
const database = forAllTests(createEngineDatabase);
beforeAll(async () => {
  const url = new URL(database.url);
  proxies = {
    database: await TcpProxy.to(url.hostname, Number(url.port)),
    temporal: await TcpProxy.before(inject('temporalAddress')),
  };
  url.host = `127.0.0.1:${proxies.database.port}`;
  databaseUrl = url.href;
  temporalAddress = `127.0.0.1:${proxies.temporal.port}`;
});
afterAll(() => {
  proxies.database.close();
  proxies.temporal.close();
});

interface Reported {
  readonly status: number;
  readonly body: unknown;
}

/** Over a connection of its own: a server closes one that was idle for seconds, maybe at the moment of its next use. */
async function askReady(origin: string): Promise<Reported> {
  const answer = await fetch(`${origin}/readyz`, { headers: { connection: 'close' } });
  return { status: answer.status, body: await answer.json() };
}

const parts = [
  ['database', 'The database'],
  ['temporal', 'The workflow service'],
] as const;

describe('readiness while a dependency is frozen with its connections open', () => {
  let origins: { readonly worker: string; readonly api: string };
  const worker = forAllTests(() =>
    startWorker(
      readEnvironment(workerEnvironment, {
        DATABASE_URL: databaseUrl,
        TEMPORAL_ADDRESS: temporalAddress,
        TEMPORAL_TASK_QUEUE: `payments-${randomUUID()}`,
        PROVIDER_APPLICATIONS: JSON.stringify([
          {
            environment: 'sandbox',
            application: 'shop',
            baseUrl: 'http://127.0.0.1:9',
            clientId: 'id',
            clientSecret: 'secret',
            webhookSecret: randomBytes(24).toString('hex'),
            webhookAuthentication: 'signature',
          },
        ]),
        CODEC_KEYS: `k:${randomBytes(32).toString('base64')}`,
        PUBLIC_URL: 'https://payments.example',
        WORKFLOW_BUNDLE: inject('workflowBundle'),
      }),
    ),
  );
  const health = forAllTests(() => serveHealth('127.0.0.1', 0, () => worker.missing()));
  const api = forAllTests(() => ApiFixture.start({ databaseUrl, temporal: temporalAt(temporalAddress) }));
  beforeAll(() => {
    origins = { worker: `http://127.0.0.1:${(health.address() as AddressInfo).port}`, api: api.url };
  });

  test.each(parts)(
    'names the %s in worker and API, and is ready again when it is back',
    async (part, name) => {
      for (const origin of Object.values(origins)) {
        await until(
          () => askReady(origin),
          ({ status }) => status === 200,
          'readiness',
        );
      }
      proxies[part].fallSilent();
      expect(await askReady(origins.worker)).toEqual({
        status: 503,
        body: { ready: false, missing: [part] },
      });
      expect(await askReady(origins.api)).toMatchObject({
        status: 503,
        body: { detail: `${name} cannot be reached.`, missing: [part] },
      });
      proxies[part].restore();
      for (const origin of Object.values(origins)) {
        await until(
          () => askReady(origin),
          ({ status }) => status === 200,
          'readiness to come back',
        );
      }
    },
  );
});
