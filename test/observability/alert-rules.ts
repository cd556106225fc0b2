import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { projectRoot } from '#tools/project.js';

const rulesFile = join(projectRoot, 'deploy/observability/alerts.yaml');

interface Rule {
  readonly alert: string;
  readonly expr: string;
}

interface Rules {
  readonly groups: readonly { readonly rules: readonly Rule[] }[];
}

export const rules = (parse(readFileSync(rulesFile, 'utf8')) as Rules).groups.flatMap((group) => group.rules);

/** A line of an exposition. */
export interface Sample {
  readonly name: string;
  /** As it is written, in braces. */
  readonly labels: string;
  readonly value: number;
}

export function samplesIn(exposition: string): Sample[] {
  return [...exposition.matchAll(/^([a-z_]\w*)(\{.*\})? (\S+)$/gm)].map(
    ([, name = '', labels = '', value]) => ({
      name,
      labels,
      value: Number(value),
    }),
  );
}

/** The value of a metric for an application. */
export function valueOf(samples: readonly Sample[], name: string, application: string): number | undefined {
  const label = `application="${application}"`;
  return samples.find((sample) => sample.name === name && sample.labels.includes(label))?.value;
}

/** Whether a rule that compares one gauge holds for an application; undefined for rules of another form. */
export function holds(alert: string, samples: readonly Sample[], application: string): boolean | undefined {
  const { expr = '' } = rules.find((rule) => rule.alert === alert) ?? {};
  const [, metric, sign, limit] = /\((engine_\w+)\) (>=|>|<|==) (-?[\d.]+)$/.exec(expr) ?? [];
  if (metric === undefined) return undefined;
  const value = valueOf(samples, metric, application) ?? Number.NaN;
  const compare = { '>=': value >= Number(limit), '>': value > Number(limit), '<': value < Number(limit) };
  return sign === '==' ? value === Number(limit) : compare[sign as keyof typeof compare];
}

/** Promtool is no part of a clone: without it only the comparisons are checked. */
export const hasPromtool = spawnSync('promtool', ['--version']).status === 0;

/**
 * Lets promtool judge what fires when these samples stay for an hour: gauges as they are, counters growing by as much in
 * each minute.
 *
 * @param expected names of alerts, with the application where there is one.
 * @returns what promtool says; empty if exactly those fire.
 */
export function judge(
  samples: readonly Sample[],
  expected: readonly { alert: string; application?: string }[],
): string {
  const folder = mkdtempSync(join(tmpdir(), 'promtool-'));
  try {
    const file = join(folder, 'test.yaml');
    writeFileSync(file, stringify(testOf(samples, expected)));
    const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', file], { encoding: 'utf8' });
    return status === 0 ? '' : stdout + stderr;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function testOf(
  samples: readonly Sample[],
  expected: readonly { alert: string; application?: string }[],
): object {
  const fired = expected.map(({ alert, application }) => {
    const of = application === undefined ? '' : `, application="${application}"`;
    return { labels: `{alertname="${alert}"${of}}`, value: 1 };
  });
  return {
    rule_files: [rulesFile],
    evaluation_interval: '1m',
    tests: [
      {
        interval: '1m',
        input_series: withProcesses(samples).map(({ name, labels, value }) => ({
          series: name + labels,
          values: isCounter(name) ? `0+${value}x60` : `${value}+0x60`,
        })),
        promql_expr_test: [
          {
            expr: 'group by (alertname, application) (ALERTS{alertstate="firing"})',
            eval_time: '50m',
            exp_samples: fired,
          },
        ],
      },
    ],
  };
}

/** Both processes answer where nothing else is said. */
function withProcesses(samples: readonly Sample[]): readonly Sample[] {
  if (samples.some(({ name }) => name === 'up')) return samples;
  const up = ['engine-api', 'engine-worker'].map((job) => ({
    name: 'up',
    labels: `{job="${job}"}`,
    value: 1,
  }));
  return [...up, ...samples];
}

function isCounter(name: string): boolean {
  return /_(?:total|bucket|count|sum)$/.test(name);
}
