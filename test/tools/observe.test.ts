import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { alertsInFile, observe } from '#tools/containers/observe.js';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

type Answers = Readonly<Record<string, () => unknown>>;

/** Answers JSON by the path. @returns its port. */
async function observer(answers: Answers): Promise<string> {
  const server = createServer(({ url = '' }, response) => {
    response.end(JSON.stringify(answers[new URL(url, 'http://observer').pathname]?.() ?? {}));
  });
  servers.push(server);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return String((server.address() as AddressInfo).port);
}

const seen = async (env: Readonly<Record<string, string>>) =>
  await observe({
    missing: ['prometheus', 'grafana', 'jaeger'].filter((name) => !(`${name.toUpperCase()}_PORT` in env)),
    env,
    signal: AbortSignal.timeout(60_000),
  });

const target = (job: string, health: string) => ({ labels: { job }, health });
const trace = (...names: string[]) => ({
  processes: Object.fromEntries(names.map((serviceName, place) => [`p${place}`, { serviceName }])),
});

it('waits until Prometheus reads API and worker, judges every alert and has the calls of the demos', async () => {
  let looks = 0;
  const port = await observer({
    '/api/v1/targets': () => {
      looks += 1;
      const worker = target('engine-worker', looks > 1 ? 'up' : 'unknown');
      return { data: { activeTargets: [target('engine-api', 'up'), worker] } };
    },
    '/api/v1/rules': () => ({
      data: { groups: [{ rules: Array.from({ length: alertsInFile() }, () => ({ health: 'ok' })) }] },
    }),
    '/api/v1/query': () => ({ data: { result: looks > 2 ? [{ value: [0, '47'] }] : [] } }),
  });
  expect(await seen({ PROMETHEUS_PORT: port })).toEqual({
    prometheus: { up: ['engine-api', 'engine-worker'], alerts: alertsInFile(), providerCalls: 47 },
  });
  expect(looks).toBe(3);
});

it('takes from Jaeger only a trace that API and worker share', async () => {
  const api = trace('payment-lifecycle-api');
  const shared = trace('payment-lifecycle-api', 'payment-lifecycle-worker');
  const found = [[], [api], [api, shared]];
  const port = await observer({
    '/api/traces': () => ({ data: found.length > 1 ? found.shift() : found[0] }),
  });
  expect(await seen({ JAEGER_PORT: port })).toEqual({ jaeger: { traces: 2, throughApiAndWorker: 1 } });
});

it('asks Grafana for the dashboard and both sources, and nobody who does not run', async () => {
  const port = await observer({
    '/api/search': () => [{ title: 'Payment engine' }],
    '/api/datasources': () => [{ name: 'Prometheus' }, { name: 'Jaeger' }],
  });
  expect(await seen({ GRAFANA_PORT: port })).toEqual({
    grafana: { dashboards: ['Payment engine'], sources: ['Prometheus', 'Jaeger'] },
  });
  expect(await seen({})).toEqual({});
});
