import type { Deadline } from '../lifecycle/lifecycle.js';
import type { StepEffect } from '../lifecycle/step/open-step.js';
import type { ReviewEffect } from '../lifecycle/step/review.js';

/**
 * The text that Temporal's UI shows of a run. It contains no personal data.
 *
 * @param lines the subject's status and figures.
 * @param doing the run's current call, in words; undefined while it waits.
 * @param deadline the deadline for which the run waits.
 * @param remarks the reason of the status, and warnings for an operator.
 */
export function describeRun(
  lines: readonly string[],
  doing: string | undefined,
  deadline: Deadline<{ readonly type: string }> | undefined,
  remarks: readonly (string | undefined)[],
): string {
  const next = deadline && `next: ${deadline.event.type} at ${new Date(deadline.at).toISOString()}`;
  const now = doing === undefined ? next : `now: ${doing}`;
  return [...lines, now, ...remarks].filter((line) => line !== undefined).join('\n\n');
}

type Effect<Read> = StepEffect<{ readonly type: string }> | ReviewEffect<string> | Read;

/** @param reading returns the words for a read. */
export function doingNow<Read extends { readonly type: 'observe' }>(
  effect: Effect<Read> | undefined,
  reading: (effect: Read) => string,
): string | undefined {
  switch (effect?.type) {
    case undefined:
      return undefined;
    case 'observe':
      return reading(effect);
    case 'verifyDecision':
      return 'holding a decision against the provider';
    case 'perform':
    case 'lookUp':
      return `${effect.type} ${effect.step.type}`;
  }
}
