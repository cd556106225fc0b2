import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Supervisor } from './supervisor.js';
import { freePort } from './ports.js';
import { projectRoot } from './project.js';
import type { StackOptions } from './stack-options.js';

/** Prometheus and a viewer of traces beside a stack, where their programs are installed. */
export interface Observers {
  /** Variables with which API and worker are observed. */
  readonly env: NonNullable<StackOptions['env']>;
  stop(): Promise<void>;
}

export interface ObserversOptions {
  /** That of the stack. */
  readonly dataFolder: string;
  readonly report: (line: string) => void;
}

/** @throws Failure when a program that is installed does not start; nothing is left running then. */
export async function startObservers({ dataFolder, report }: ObserversOptions): Promise<Observers> {
  const folder = join(dataFolder, 'observers');
  mkdirSync(folder, { recursive: true });
  const supervisor = await Supervisor.open({ dataFolder: folder, report });
  const [api, worker] = [await freePort(), await freePort()];
  report(`metrics: http://127.0.0.1:${api}/metrics (API), http://127.0.0.1:${worker}/metrics (worker)`);
  try {
    await startPrometheus(supervisor, { 'engine-api': api, 'engine-worker': worker }, report);
    const collector = await startJaeger(supervisor, report);
    report(
      'no Grafana: deploy/observability/grafana/engine.json is its dashboard (the compose file brings it)',
    );
    const traces = collector === undefined ? {} : { OTEL_EXPORTER_OTLP_ENDPOINT: collector };
    return {
      env: {
        api: { METRICS_PORT: String(api), ...traces },
        worker: { WORKER_METRICS_PORT: String(worker), ...traces },
      },
      stop: () => supervisor.stopAll(),
    };
  } catch (error) {
    await supervisor.stopAll();
    throw error;
  }
}

type Report = ObserversOptions['report'];

async function startPrometheus(
  supervisor: Supervisor,
  jobs: PrometheusSettings['jobs'],
  report: Report,
): Promise<void> {
  if (!isInstalled('prometheus')) {
    report('no Prometheus: there is no program `prometheus` on the PATH (https://prometheus.io/download)');
    return;
  }
  const rules = readFileSync(join(projectRoot, 'deploy/observability/alerts.yaml'), 'utf8');
  const address = await runPrometheus(supervisor, { jobs, rules, every: '5s' });
  report(`Prometheus: ${address}/alerts`);
}

export interface PrometheusSettings {
  /** Their ports of metrics, by name. */
  readonly jobs: Readonly<Record<string, number>>;
  /** The text of a file of rules. */
  readonly rules: string;
  /** How often it reads the metrics and judges the rules. */
  readonly every: string;
}

/** @returns its origin. */
export async function runPrometheus(
  supervisor: Supervisor,
  { jobs, rules, every }: PrometheusSettings,
): Promise<string> {
  const { dataFolder: folder } = supervisor;
  const scrapes = Object.entries(jobs).map(
    ([job, port]) => `  - { job_name: ${job}, static_configs: [{ targets: ['127.0.0.1:${port}'] }] }`,
  );
  writeFileSync(join(folder, 'alerts.yaml'), rules);
  writeFileSync(
    join(folder, 'prometheus.yml'),
    [
      `global: { scrape_interval: ${every}, scrape_timeout: ${every}, evaluation_interval: ${every} }`,
      'rule_files: [alerts.yaml]',
      'scrape_configs:',
      ...scrapes,
    ].join('\n'),
  );
  const address = `127.0.0.1:${await freePort()}`;
  await supervisor.start({
    name: 'prometheus',
    command: 'prometheus',
    args: [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'prometheus')}`,
      `--web.listen-address=${address}`,
    ],
    isReady: () => answers(`http://${address}/-/ready`),
  });
  return `http://${address}`;
}

/** @returns where it takes traces. */
async function startJaeger(supervisor: Supervisor, report: Report): Promise<string | undefined> {
  if (!isInstalled('jaeger')) {
    report(
      'no viewer of traces: there is no program `jaeger` (2.x) on the PATH (https://www.jaegertracing.io/download); ' +
        'OTEL_EXPORTER_OTLP_ENDPOINT names another collector',
    );
    return undefined;
  }
  // Its own ports: with its usual configuration it is set by no flag.
  await supervisor.start({
    name: 'jaeger',
    command: 'jaeger',
    args: [],
    isReady: () => answers('http://127.0.0.1:16686/'),
  });
  report('traces: http://127.0.0.1:16686');
  return 'http://127.0.0.1:4318';
}

export function isInstalled(program: string): boolean {
  return spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined;
}

async function answers(url: string): Promise<boolean> {
  return (await fetch(url, { signal: AbortSignal.timeout(5_000) })).ok;
}
