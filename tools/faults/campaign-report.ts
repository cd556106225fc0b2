import type { Discrepancy, DiscrepancyKind } from './discrepancy.js';
import type { KillCount } from './killer.js';
import { fewestKills } from './strike-plan.js';

export interface CampaignReport {
  readonly lifecycles: number;
  readonly seed: string;
  readonly count: KillCount;
  /** How often each kind of fault has struck. */
  readonly faults: Readonly<Record<string, number>>;
  readonly discrepancies: readonly Discrepancy[];
  /** Payments that ended otherwise than planned, and the engine says why. */
  readonly explanations: readonly string[];
  /** Processes that ended without having been killed, each in a sentence. */
  readonly accidents: readonly string[];
  readonly seconds: number;
  /** The setting of PostgreSQL on every cluster; `off` when one of them does not have it on. */
  readonly fsync: string;
}

/** The last line of the campaign's output. */
export function summaryOf(report: CampaignReport): Record<string, unknown> {
  const of = (kind: DiscrepancyKind): number =>
    report.discrepancies.filter((discrepancy) => discrepancy.kind === kind).length;
  return {
    lifecycles: report.lifecycles,
    seed: report.seed,
    kills: report.count.kills,
    killsInFlight: report.count.killsInFlight,
    faults: report.faults,
    lost: of('lost'),
    doubled: of('doubled'),
    stuck: of('stuck'),
    needsReview: of('needsReview'),
    explained: report.explanations.length,
    seconds: report.seconds,
    fsync: report.fsync,
  };
}

/** Why the campaign proves nothing, or disproves something; empty when the engine has passed. */
export function failuresOf({ lifecycles, count, discrepancies, accidents, fsync }: CampaignReport): string[] {
  const kills = Object.values(count.kills).reduce((sum, number) => sum + number, 0);
  const failures: string[] = [];
  if (discrepancies.length > 0) failures.push(`${discrepancies.length} discrepancies`);
  if (kills < fewestKills(lifecycles)) failures.push(`only ${kills} kills`);
  if (count.killsInFlight * 2 < kills)
    failures.push(`only ${count.killsInFlight} of ${kills} kills in flight`);
  failures.push(...accidents);
  if (fsync !== 'on') failures.push('fsync is off');
  return failures;
}
