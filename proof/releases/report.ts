import type { KillCount } from '../faults/campaign/killer.js';
import type { Discrepancy, DiscrepancyKind } from '../faults/discrepancy.js';
import type { Change } from './changes.js';
import type { Delays } from './delays.js';
import type { SeenInHistories } from './histories.js';

export interface ReleasesReport {
  readonly changes: readonly Change[];
  readonly seed: string;
  readonly lifecycles: number;
  /** Accepted, and compared with the books. */
  readonly requests: number;
  readonly count: KillCount;
  readonly histories: SeenInHistories;
  /** Lines of the workers' logs that report non-determinism. */
  readonly reported: number;
  readonly delays: Delays;
  readonly discrepancies: readonly Discrepancy[];
  readonly explanations: readonly string[];
  readonly accidents: readonly string[];
  readonly seconds: number;
}

/** No deployment delays an accepted call by more. */
const longestDelayMs = 2_000;
const mostExplained = 0.1;
const explainedOfFew = 2;

/** The last line of the campaign's output. */
export function summaryOf(report: ReleasesReport): Record<string, unknown> {
  const { changes, seed, lifecycles, requests, count, histories, delays, seconds } = report;
  const made: Record<string, number> = {};
  for (const { what } of changes) made[what] = (made[what] ?? 0) + 1;
  return {
    changes: changes.length,
    nonDeterministic: nonDeterministicIn(report),
    stuck: of(report, 'stuck'),
    lost: of(report, 'lost'),
    doubled: of(report, 'doubled'),
    longestDelayMs: delays.longestMs,
    longestOtherwiseMs: delays.longestOtherwiseMs,
    callsUnderDeployments: delays.calls,
    usualMs: delays.usualMs,
    made,
    migrations: changes.filter((change) => change.what === 'migration' || ('to' in change && change.migrates))
      .length,
    kills: count.kills,
    killsInFlight: count.killsInFlight,
    lifecycles,
    requests,
    runs: histories.runs,
    crossed: histories.crossed,
    patched: histories.patched,
    needsReview: of(report, 'needsReview'),
    finalUndone: of(report, 'finalUndone'),
    explained: report.explanations.length,
    seconds,
    seed,
  };
}

/** Why the campaign has failed or proves nothing; empty if the engine has passed. */
export function failuresOf(report: ReleasesReport): string[] {
  const { changes, lifecycles, requests, histories, delays, discrepancies, explanations } = report;
  const failures: string[] = [];
  const nonDeterministic = nonDeterministicIn(report);
  if (nonDeterministic > 0) failures.push(`${nonDeterministic} workflow tasks failed as not deterministic`);
  if (discrepancies.length > 0) failures.push(`${discrepancies.length} discrepancies`);
  if (delays.longestMs > longestDelayMs)
    failures.push(`a deployment delayed a call by ${delays.longestMs} ms`);
  if (delays.calls < changes.length) failures.push(`only ${delays.calls} calls met a deployment`);
  if (histories.crossed < changes.length) failures.push(`only ${histories.crossed} runs met two releases`);
  if (histories.patched === 0) failures.push('no run has begun a patch');
  if (requests < lifecycles) failures.push(`only ${requests} requests were accepted and judged`);
  if (explanations.length > explainedOfFew + lifecycles * mostExplained)
    failures.push(`${explanations.length} ended otherwise than planned`);
  return [...failures, ...report.accidents];
}

/** By the histories or by the logs, whichever shows more: each leaves out some. */
function nonDeterministicIn({ histories, reported }: ReleasesReport): number {
  return Math.max(histories.nonDeterministic, reported);
}

function of({ discrepancies }: ReleasesReport, kind: DiscrepancyKind): number {
  return discrepancies.filter((discrepancy) => discrepancy.kind === kind).length;
}
