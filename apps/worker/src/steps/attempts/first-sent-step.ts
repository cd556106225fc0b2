import type { AttemptRow } from '#database/schema';

/** Marks the step of an attempt that is never sent: what a lookup would compare with could not be read. */
interface Unsent {
  readonly isUnsent: true;
}

/**
 * What an attempt's row keeps of the read before it.
 *
 * @param seen undefined if the attempt may have been sent before the read.
 */
export function remembered<Seen extends object>(
  seen: Seen | 'unreadable' | undefined,
): Partial<Seen> | Unsent {
  if (seen === 'unreadable') return { isUnsent: true };
  return seen ?? {};
}

/**
 * The step as the first attempt that may have been sent has it; undefined if none was sent. What was seen before it is
 * what a lookup compares with: each later attempt may have seen its effect already. A row that was lost has seen nothing.
 */
export function firstSentStep<Step extends object>(
  attempts: readonly Pick<AttemptRow, 'outcome' | 'step'>[],
): Partial<Step> | undefined {
  const first = attempts.find(({ outcome, step }) => outcome !== 'deferred' && !('isUnsent' in step));
  const step: object | undefined = first?.step;
  return step;
}
