import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Registry, collectDefaultMetrics } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { figures } from '#observability/metrics/figures.js';
import { WorkMetrics } from '#observability/metrics/work-metrics.js';
import { projectRoot } from '#tools/project.js';

const folder = join(projectRoot, 'deploy/observability');
const read = (path: string): string => readFileSync(join(projectRoot, path), 'utf8');

interface Rules {
  readonly groups: readonly {
    readonly rules: readonly { readonly alert: string; readonly expr: string }[];
  }[];
}
const alerts = (parse(read('deploy/observability/alerts.yaml')) as Rules).groups.flatMap(
  ({ rules }) => rules,
);

interface Dashboard {
  readonly panels: readonly { readonly targets?: readonly { readonly expr: string }[] }[];
}
const dashboard = JSON.parse(read('deploy/observability/grafana/engine.json')) as Dashboard;
const shown = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));

/** Those of Temporal's SDK are held against a worker's endpoint in test/observability. */
async function ownMetrics(): Promise<string[]> {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const work = new WorkMetrics(registry);
  expect(work).toBeDefined();
  const own = (await registry.getMetricsAsJSON()).map(({ name }) => name);
  const pool = ['engine_database_connections', 'engine_database_connections_limit'];
  return [...own, ...figures.map(({ name }) => name), ...pool, 'engine_database_up', 'up'];
}

function metricsIn(expression: string): string[] {
  const names = expression.match(/\b(?:engine|temporal|nodejs|process)_\w+|\bup\b/g) ?? [];
  return names.map((name) => (name.startsWith('engine') ? name.replace(/_(?:bucket|count|sum)$/, '') : name));
}

describe('the rules and the dashboard', () => {
  it('name metrics that a process has', async () => {
    const known = await ownMetrics();
    const named = [...alerts.map(({ expr }) => expr), ...shown].flatMap(metricsIn);
    expect(named.length).toBeGreaterThan(40);
    expect(named.filter((name) => !name.startsWith('temporal_') && !known.includes(name))).toEqual([]);
  });

  it('show every gauge of the rows', () => {
    const named = shown.flatMap(metricsIn);
    expect(figures.map(({ name }) => name).filter((name) => !named.includes(name))).toEqual([]);
  });
});

describe('every alert', () => {
  const runbooks = [...read('docs/operations.md').matchAll(/^### (Engine\w+)$/gm)].map(([, name]) => name);

  it('has a runbook, and every runbook an alert', () => {
    expect(runbooks).toEqual(alerts.map(({ alert }) => alert));
  });
});

const hasPromtool = spawnSync('promtool', ['--version']).status === 0;
// Promtool is no part of a clone: who has it runs this as well. A skipped test counts as failed in CI.
if (hasPromtool)
  it('the rules and the configuration of Prometheus are sound to promtool', () => {
    for (const [what, file] of [
      ['rules', 'alerts.yaml'],
      ['config', 'prometheus.yml'],
    ] as const) {
      const { status, stderr } = spawnSync('promtool', ['check', what, join(folder, file)], {
        encoding: 'utf8',
      });
      expect(stderr).toBe('');
      expect(status).toBe(0);
    }
  });
