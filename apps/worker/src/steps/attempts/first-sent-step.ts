import type { AttemptRow } from '#database/schema';

/**
 * The step as the first attempt that may have been sent has it; undefined if none was sent. What was seen before it is
 * what a lookup compares with: each later attempt may have seen its effect already. A row that was lost has seen nothing.
 */
export function firstSentStep<Step extends object>(
  attempts: readonly Pick<AttemptRow, 'outcome' | 'step'>[],
): Partial<Step> | undefined {
  const first = attempts.find(({ outcome }) => outcome !== 'deferred');
  const step: object | undefined = first?.step;
  return step;
}
