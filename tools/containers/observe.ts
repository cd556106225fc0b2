import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { Failure } from '../failure.js';
import { projectRoot } from '../project.js';

export interface Observing {
  /** Services that do not run. */
  readonly missing: readonly string[];
  /** Variables of the compose files: the ports. */
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** What the observers that run say themselves of the engine. */
export type Observed = Readonly<Record<string, object>>;

/** Some scrapes, and some batches of spans. */
const seenWithinMs = 180_000;
const jobs = ['engine-api', 'engine-worker'];
const processes = ['payment-lifecycle-api', 'payment-lifecycle-worker'];

/** Tells what it has seen; undefined as long as something is missing. */
type Look = (get: (path: string) => Promise<unknown>) => Promise<object | undefined>;

const observers: Readonly<Record<string, { readonly port: string; readonly look: Look }>> = {
  prometheus: { port: 'PROMETHEUS_PORT', look: lookAtPrometheus },
  grafana: { port: 'GRAFANA_PORT', look: lookAtGrafana },
  jaeger: { port: 'JAEGER_PORT', look: lookAtJaeger },
};

/** Waits until each observer that runs has seen what the demos did. @throws Failure naming one that has not. */
export async function observe({ missing, env, signal }: Observing): Promise<Observed> {
  const running = Object.entries(observers).filter(([service]) => !missing.includes(service));
  const seen = running.map(async ([service, { port, look }]) => {
    const origin = `http://127.0.0.1:${env[port]}`;
    return [
      service,
      await untilSeen(service, () => look((path) => read(`${origin}${path}`)), signal),
    ] as const;
  });
  return Object.fromEntries(await Promise.all(seen));
}

async function untilSeen(
  service: string,
  look: () => Promise<object | undefined>,
  signal: AbortSignal,
): Promise<object> {
  const deadline = Date.now() + seenWithinMs;
  for (;;) {
    const seen = await look().catch(() => undefined);
    if (seen) return seen;
    if (Date.now() > deadline) throw new Failure(`${service} has not seen what the demos did.`);
    await sleep(1_000, undefined, { signal });
  }
}

async function read(url: string): Promise<unknown> {
  const response = await fetch(url, { signal: AbortSignal.timeout(10_000) });
  if (!response.ok) throw new Failure(`${url} answers ${response.status}`);
  return await response.json();
}

const targets = z.object({
  data: z.object({
    activeTargets: z.array(z.object({ labels: z.object({ job: z.string() }), health: z.string() })),
  }),
});
const rules = z.object({
  data: z.object({ groups: z.array(z.object({ rules: z.array(z.object({ health: z.string() })) })) }),
});
const vector = z.object({
  data: z.object({ result: z.array(z.object({ value: z.tuple([z.number(), z.string()]) })) }),
});

/** API and worker are read, every alert is judged, and the calls of the demos are there. */
async function lookAtPrometheus(get: Parameters<Look>[0]): Promise<object | undefined> {
  const { activeTargets } = targets.parse(await get('/api/v1/targets?state=active')).data;
  const up = activeTargets.flatMap(({ labels, health }) => (health === 'up' ? [labels.job] : []));
  const judged = rules.parse(await get('/api/v1/rules')).data.groups.flatMap((group) => group.rules);
  const alerts = judged.filter(({ health }) => health === 'ok').length;
  const query = encodeURIComponent('sum(engine_provider_call_duration_seconds_count)');
  const [calls] = vector.parse(await get(`/api/v1/query?query=${query}`)).data.result;
  const providerCalls = Number(calls?.value[1] ?? 0);
  const isWhole = jobs.every((job) => up.includes(job)) && alerts === alertsInFile() && providerCalls > 0;
  return isWhole ? { up: up.toSorted(), alerts, providerCalls } : undefined;
}

export function alertsInFile(): number {
  const text = readFileSync(join(projectRoot, 'deploy/observability/alerts.yaml'), 'utf8');
  return [...text.matchAll(/^ +- alert: /gm)].length;
}

const dashboards = z.array(z.object({ title: z.string() }));
const sources = z.array(z.object({ name: z.string() }));

/** The dashboard and both sources are provisioned. */
async function lookAtGrafana(get: Parameters<Look>[0]): Promise<object | undefined> {
  const found = dashboards.parse(await get('/api/search?type=dash-db')).map(({ title }) => title);
  const from = sources.parse(await get('/api/datasources')).map(({ name }) => name);
  return found.length > 0 && from.length > 1 ? { dashboards: found, sources: from } : undefined;
}

const traces = z.object({
  data: z.array(z.object({ processes: z.record(z.string(), z.object({ serviceName: z.string() })) })),
});

/** A trace goes from a request to the API through the run's activity. */
async function lookAtJaeger(get: Parameters<Look>[0]): Promise<object | undefined> {
  const { data } = traces.parse(await get(`/api/traces?service=${processes[0]}&limit=200&lookback=1h`));
  const through = data.filter((trace) => {
    const names = new Set(Object.values(trace.processes).map(({ serviceName }) => serviceName));
    return processes.every((name) => names.has(name));
  });
  return through.length > 0 ? { traces: data.length, throughApiAndWorker: through.length } : undefined;
}
