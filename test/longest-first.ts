import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Small files that wait for minutes. If they began last, the test run would wait for them alone at its end. */
const long = [
  'workflows/deadlines',
  'e2e/reauthorization',
  'e2e/subscriptions-near-the-end',
  'faults/killed-together',
  'e2e/demos',
  'e2e/subscriptions',
  'faults/short-campaign',
  'e2e/schedules',
  'reconciliation/blocked-run',
  'workflows/replay',
  'outcomes/unstorable-answers',
  'api/decisions',
  'faults/temporal-outage',
  'workflows/fake-temporal',
  'faults/restored-database',
  'e2e/rotated-codec-key',
  'e2e/reconciliation',
  'outcomes/cut-short-subscriptions',
  'e2e/payouts-after-end',
  'e2e/visible-doubt',
  'e2e/webhooks',
  'mutants/quick-mutants',
  'api/webhook-fuzz',
  'sandbox/crash/crash',
  'sandbox/fuzz/fuzz',
];

/** Vitest begins with large files, or with those that took long the last time; a bare clone has no last time. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => Number(isLong(other)) - Number(isLong(one)));
  }
}

function isLong({ moduleId }: TestSpecification): boolean {
  return long.some((name) => moduleId.endsWith(`/test/${name}.test.ts`));
}
