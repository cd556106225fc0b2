import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi } from '#api/api.js';
import { ProviderClients } from '#worker/provider/provider-clients.js';
import { log } from '#worker/process/log.js';
import { type Database, openDatabase } from '#database/connection';
import { saveProviderWebhook } from '#database/events';
import { sql } from 'kysely';
import { ProcessMetrics } from '#observability';
import { configuration, webhookSecret } from '../api/api-fixture.js';
import { event } from '../api/deliveries.js';
import { TcpProxy } from '../api/tcp-proxy.js';
import { createEngineDatabase, withUsualTimeouts } from '../helpers/database.js';
import { forAllTests } from '../helpers/shared.js';
import { until } from '../helpers/until.js';
import { type Sample, hasPromtool, holds, judge, rules, samplesIn, valueOf } from './alert-rules.js';
import { causes } from './caused-alerts.js';
import { scrape } from './observed-engine.js';

let db: Database;
const database = forAllTests(createEngineDatabase);
beforeAll(async () => {
  db = openDatabase(database.url, { poolSize: 2 });
  for (const owner of owners)
    await saveProviderWebhook(db, { ...owner, webhookId: 'WH-1', url: 'https://payments.example' });
});
afterAll(async () => {
  await db.destroy();
});

/** An application for each alert, and one in which nothing is wrong. */
const applications = [...Object.keys(causes).map((alert) => alert.toLowerCase()), 'quiet'];
const owners = applications.map((application) => ({ environment: 'sandbox', application }));

async function metricsOf(databaseUrl: string): Promise<ProcessMetrics> {
  return await ProcessMetrics.serve({ host: '127.0.0.1', port: 0, databaseUrl, owners });
}

async function samplesOnce(databaseUrl: string): Promise<Sample[]> {
  const metrics = await metricsOf(databaseUrl);
  try {
    return samplesIn(await scrape(metrics.url));
  } finally {
    await metrics.close();
  }
}

const asJob = (job: string, samples: readonly Sample[]): Sample[] =>
  samples.map(({ name, labels, value }) => ({
    name,
    value,
    labels: `{job="${job}"${labels === '' ? '' : `,${labels.slice(1, -1)}`}}`,
  }));

function expectFired(
  samples: readonly Sample[],
  expected: Parameters<typeof judge>[1],
  job = 'engine-api',
): void {
  if (hasPromtool) expect(judge(asJob(job, samples), expected)).toBe('');
}

describe('what the rows show', () => {
  it('fires no alert while nothing is wrong', async () => {
    const samples = await samplesOnce(database.url);
    expect(samples.find(({ name }) => name === 'engine_database_up')?.value).toBe(1);
    for (const alert of Object.keys(causes)) expect(holds(alert, samples, 'quiet')).toBe(false);
    expectFired(samples, []);
  });

  it('fires each alert for the application that has its cause, and for no other', async () => {
    const expected: { alert: string; application: string }[] = [];
    for (const [alert, cause] of Object.entries(causes)) {
      const application = alert.toLowerCase();
      await cause(db, application);
      expected.push({ alert, application });
    }
    const samples = await samplesOnce(database.url);
    const fired = Object.keys(causes).flatMap((alert) =>
      applications.flatMap((application) =>
        holds(alert, samples, application) ? [{ alert, application }] : [],
      ),
    );
    expect(fired).toEqual(expected);
    expectFired(samples, expected);
  });
});

it('EngineDatabaseDown: without PostgreSQL the endpoint answers, and shows no old values', async () => {
  const url = new URL(withUsualTimeouts(database.url));
  const proxy = await TcpProxy.to(url.hostname, Number(url.port));
  url.host = `127.0.0.1:${proxy.port}`;
  proxy.refuse();
  const samples = await samplesOnce(url.href);
  proxy.close();
  expect(samples.find(({ name }) => name === 'engine_database_up')?.value).toBe(0);
  expect(valueOf(samples, 'engine_inbox_events', 'quiet')).toBeUndefined();
  expectFired(samples, [{ alert: 'EngineDatabaseDown' }]);
});

describe('what a process does', () => {
  const shop = { environment: 'sandbox' as const, application: 'shop' };

  it('EngineWebhooksLate and EngineApiFails: late deliveries, and requests without PostgreSQL', async () => {
    const url = new URL(database.url);
    const proxy = await TcpProxy.to(url.hostname, Number(url.port));
    url.host = `127.0.0.1:${proxy.port}`;
    const base = configuration(url.href);
    const api = await startApi({
      ...base,
      applications: base.applications
        .slice(0, 1)
        .map((each) => ({ ...each, webhookAuthentication: 'addressSecret' })),
      metrics: { host: '127.0.0.1', port: 0 },
    });
    const address = `${api.url}/webhooks/sandbox/shop/${webhookSecret}`;
    const late = event({ id: 'AUTH-1' }, { create_time: new Date(Date.now() - 3_600_000).toISOString() });
    const post = async () =>
      await fetch(address, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(late),
      });
    expect((await post()).status).toBe(200);
    proxy.refuse();
    expect((await post()).status).toBe(503);
    const samples = samplesIn(await scrape(api.metricsUrl ?? '')).filter(({ name }) =>
      /^engine_(?:webhook_lag|http_request)/.test(name),
    );
    expect(samples).toContainEqual({
      name: 'engine_http_request_duration_seconds_count',
      labels: '{method="POST",route="/webhooks/:environment/:application/:secret",status="503"}',
      value: 1,
    });
    expect(valueOf(samples, 'engine_webhook_lag_seconds_sum', 'shop')).toBeGreaterThan(3_599);
    expectFired(samples, [{ alert: 'EngineApiFails' }, { alert: 'EngineWebhooksLate', application: 'shop' }]);
    proxy.restore();
    await api.close();
    proxy.close();
  });

  it('EngineProviderFails and EngineProviderSlow: a provider that answers late, with an error', async () => {
    const server = createServer((_request, response) => {
      setTimeout(() => response.writeHead(500).end(), 6_000);
    });
    await new Promise<void>((listening) => {
      server.listen(0, '127.0.0.1', listening);
    });
    const metrics = await metricsOf(database.url);
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const [application] = configuration(database.url).applications;
    const clients = new ProviderClients(
      [{ ...application!, baseUrl, clientId: 'shop', clientSecret: 'secret' }],
      log,
      { metrics },
    );
    const signal = AbortSignal.timeout(9_000);
    await expect(clients.for(shop).payments.get('PAY-1', { signal })).rejects.toThrow();
    const samples = samplesIn(await scrape(metrics.url)).filter(({ name }) =>
      name.startsWith('engine_provider'),
    );
    await clients.close();
    await metrics.close();
    server.closeAllConnections();
    server.close();
    expectFired(samples, [
      { alert: 'EngineProviderFails', application: 'shop' },
      { alert: 'EngineProviderSlow', application: 'shop' },
    ]);
    expect(samples.some(({ labels }) => labels.includes('operation="token",outcome="5xx"'))).toBe(true);
  });

  it('EnginePoolExhausted: all connections are in use, and a request waits', async () => {
    const small = openDatabase(database.url, { poolSize: 1, idleInTransactionMs: 600_000 });
    const metrics = await metricsOf(database.url);
    metrics.work.watchPool(small);
    const seen = Promise.withResolvers<void>();
    const held = small.transaction().execute(() => seen.promise);
    const waiting = sql`select 1`.execute(small);
    const samples = await until(
      async () =>
        samplesIn(await scrape(metrics.url)).filter(({ name }) =>
          name.startsWith('engine_database_connections'),
        ),
      (shown) => shown.some(({ labels, value }) => labels.includes('waiting') && value === 1),
      'a request to wait',
    );
    seen.resolve();
    expectFired(samples, [{ alert: 'EnginePoolExhausted' }]);
    await Promise.all([held, waiting]);
    await metrics.close();
    await small.destroy();
  });
});

it('EngineProcessDown, EngineWorkersBehind, EngineWorkflowTasksFail: from what Prometheus and the SDK would show', () => {
  const latency = 'temporal_workflow_task_schedule_to_start_latency_seconds_bucket';
  const failed = 'temporal_workflow_task_execution_failed_total';
  expectFired(
    [
      { name: 'up', labels: '', value: 0 },
      { name: latency, labels: '{le="1"}', value: 0 },
      { name: latency, labels: '{le="10"}', value: 5 },
      { name: latency, labels: '{le="+Inf"}', value: 5 },
      { name: failed, labels: '{workflow_type="paymentWorkflow"}', value: 1 },
    ],
    [{ alert: 'EngineProcessDown' }, { alert: 'EngineWorkersBehind' }, { alert: 'EngineWorkflowTasksFail' }],
    'engine-worker',
  );
});

it('EngineProcessDown: Prometheus finds an API, and no worker at all', () => {
  expectFired([{ name: 'up', labels: '', value: 1 }], [{ alert: 'EngineProcessDown' }]);
});

it('each alert is caused above', () => {
  const others = [
    'EngineProcessDown',
    'EngineDatabaseDown',
    'EngineWebhooksLate',
    'EngineProviderFails',
    'EngineProviderSlow',
    'EngineApiFails',
    'EnginePoolExhausted',
    'EngineWorkersBehind',
    'EngineWorkflowTasksFail',
  ];
  expect(rules.map(({ alert }) => alert).toSorted()).toEqual([...Object.keys(causes), ...others].toSorted());
});
