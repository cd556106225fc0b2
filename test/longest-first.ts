import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Minutes of waiting in few lines: begun last, they would keep a run from ending when all others have. */
const long = [
  'workflows/deadlines',
  'e2e/demos',
  'e2e/subscriptions-near-the-end',
  'e2e/subscriptions',
  'e2e/reauthorization',
  'e2e/schedules',
  'e2e/webhooks',
  'faults/short-campaign',
  'faults/killed-together',
  'faults/temporal-outage',
  'api/decisions',
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
