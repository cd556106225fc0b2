import type { RunCost } from '#tools/run-cost.js';
import { type Measured, measured, rounded } from '../harness/statistics.js';
import { row, show } from '../harness/table.js';
import type { LifecycleCosts } from './measure-lifecycles.js';

type ByLifecycle = Readonly<Record<keyof LifecycleCosts, Measured>>;

/** What a run leaves in Temporal; `cycle` is what each cycle of a subscription adds. */
export interface LifecycleSummary {
  readonly lifecycleEvents: ByLifecycle;
  readonly lifecycleBytes: ByLifecycle;
  readonly lifecycleActivities: ByLifecycle;
}

export function summarizeLifecycles(costs: LifecycleCosts): LifecycleSummary {
  const each = (figure: keyof RunCost, digits: number): ByLifecycle =>
    Object.fromEntries(
      entriesOf(costs).map(([name, rounds]) => [
        name,
        rounded(measured(rounds.map((cost) => cost[figure])), digits),
      ]),
    ) as ByLifecycle;
  return {
    lifecycleEvents: each('historyEvents', 1),
    lifecycleBytes: each('historyBytes', 0),
    lifecycleActivities: each('activities', 1),
  };
}

/** Medians over the rounds, with the least and the most. */
export function lifecycleLines(costs: LifecycleCosts): string[] {
  return [
    row('what a run leaves', 'events', 'bytes', 'activities'),
    ...entriesOf(costs).map(([name, rounds]) =>
      row(
        name,
        show(
          rounds.map(({ historyEvents }) => historyEvents),
          1,
        ),
        show(rounds.map(({ historyBytes }) => historyBytes)),
        show(
          rounds.map(({ activities }) => activities),
          1,
        ),
      ),
    ),
  ];
}

function entriesOf(costs: LifecycleCosts): [keyof LifecycleCosts, readonly RunCost[]][] {
  return Object.entries(costs) as [keyof LifecycleCosts, readonly RunCost[]][];
}
