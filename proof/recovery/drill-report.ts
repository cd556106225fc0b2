import type { Discrepancy, DiscrepancyKind } from '../faults/discrepancy.js';
import type { Recovery } from './run-recovery.js';

export interface DrillReport {
  readonly lifecycles: number;
  readonly seed: string;
  /** By the rows, when Temporal was lost. */
  readonly openRuns: number;
  readonly openByStatus: Readonly<Record<string, number>>;
  /** Subjects that a new run has continued from their rows, by recovery or by reconciliation beside it. */
  readonly rebuilt: number;
  /** Subjects that were open, still are, and have no run after the recovery. */
  readonly forgotten: readonly string[];
  readonly recoveries: readonly Recovery[];
  readonly discrepancies: readonly Discrepancy[];
  readonly explanations: readonly string[];
  readonly requests: number;
  readonly accidents: readonly string[];
  readonly totalSeconds: number;
}

/** As in a campaign, the provider declines some payments; more are an engine that gives up. */
const mostExplained = 0.1;
const explainedOfFew = 2;

/** The last line of the drill's output. */
export function summaryOf(report: DrillReport): Record<string, unknown> {
  const { openRuns, rebuilt, lifecycles, requests, forgotten, explanations, seed, totalSeconds } = report;
  return {
    openRuns,
    rebuilt,
    lost: count(report, 'lost'),
    doubled: count(report, 'doubled'),
    stuck: count(report, 'stuck'),
    rebuiltByCommand: byCommand(report),
    // Of the recovery that took longer.
    seconds: Math.max(...report.recoveries.map(({ seconds }) => seconds)),
    forgotten: forgotten.length,
    needsReview: count(report, 'needsReview'),
    finalUndone: count(report, 'finalUndone'),
    lifecycles,
    requests,
    explained: explanations.length,
    totalSeconds,
    seed,
  };
}

/** Why the drill has failed or proves nothing; empty if the engine has passed. */
export function failuresOf(report: DrillReport, runs: number): string[] {
  const { openRuns, rebuilt, forgotten, explanations, lifecycles, accidents, discrepancies } = report;
  const failures: string[] = [];
  if (discrepancies.length > 0) failures.push(`${discrepancies.length} discrepancies`);
  if (forgotten.length > 0) failures.push(`${forgotten.length} open runs were forgotten`);
  if (openRuns < runs) failures.push(`only ${openRuns} runs were open`);
  if (byCommand(report) === 0) failures.push('the recovery has rebuilt nothing');
  // Some end before a new run has begun: by the last write of a worker.
  if (rebuilt < openRuns * 0.9) failures.push(`only ${rebuilt} of ${openRuns} runs were rebuilt`);
  if (explanations.length > explainedOfFew + lifecycles * mostExplained)
    failures.push(`${explanations.length} ended otherwise than planned`);
  return [...failures, ...accidents];
}

/** The others were rebuilt by reconciliation beside it. */
function byCommand({ recoveries }: DrillReport): number {
  return recoveries.reduce((sum, { rebuilt }) => sum + rebuilt, 0);
}

function count({ discrepancies }: DrillReport, kind: DiscrepancyKind): number {
  return discrepancies.filter((discrepancy) => discrepancy.kind === kind).length;
}
