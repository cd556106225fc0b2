import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { Supervisor } from '#tools/supervisor.js';
import { isInstalled, runPrometheus } from '#tools/observers.js';
import { rules } from './alert-rules.js';

/** Prometheus is no part of a clone: Debian's package `prometheus` has it. */
export const hasPrometheus = isInstalled('prometheus');

/** What takes the place of a limit of the alert, in seconds; two where none is named. */
const limits: Readonly<Record<string, number>> = {
  // More than a round of the engine under test and the reading of its rows take.
  EngineReconciliationStands: 25,
  EngineDeadlinePassed: -1,
  // Not of how long something has lasted already, but of how slow it is.
  EngineProviderSlow: 5,
  EngineWorkersBehind: 5,
};

/** The rules of the deployment, of which only durations are shorter: nobody waits for an hour here. */
const shortened = rules.map(({ alert, expr }) => ({
  alert,
  expr: expr
    .replaceAll(/\[\d+m\]/g, '[30s]')
    .replace(/(_seconds(?:_bucket\[30s\]\)+)?\)\s+[<>]) -?\d+$/, `$1 ${limits[alert] ?? 2}`),
}));

/** Prometheus with the alerts of the deployment, reading the metrics of an API and a worker every second. */
export class Prometheus {
  private constructor(
    private readonly origin: string,
    private readonly supervisor: Supervisor,
  ) {}

  static async start(jobs: Readonly<Record<string, number>>): Promise<Prometheus> {
    const supervisor = await Supervisor.open({ dataFolder: mkdtempSync(join(tmpdir(), 'prometheus-')) });
    const text = stringify({ groups: [{ name: 'shortened', rules: shortened }] }, { lineWidth: 0 });
    return new Prometheus(await runPrometheus(supervisor, { jobs, rules: text, every: '1s' }), supervisor);
  }

  /** The alerts that fire, each once. */
  async firing(): Promise<string[]> {
    const answer = await fetch(`${this.origin}/api/v1/alerts`);
    const { data } = (await answer.json()) as {
      data: { alerts: { state: string; labels: { alertname: string } }[] };
    };
    const names = data.alerts.flatMap(({ state, labels }) => (state === 'firing' ? [labels.alertname] : []));
    return [...new Set(names)];
  }

  /** How many processes it has read the metrics of at its last try. */
  async targetsUp(): Promise<number> {
    const answer = await fetch(`${this.origin}/api/v1/query?query=sum(up)`);
    const { data } = (await answer.json()) as { data: { result: { value: [number, string] }[] } };
    return Number(data.result[0]?.value[1] ?? 0);
  }

  async close(): Promise<void> {
    await this.supervisor.stopAll();
    rmSync(this.supervisor.dataFolder, { recursive: true, force: true });
  }
}
