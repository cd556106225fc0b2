import type { Deadline } from '../lifecycle/lifecycle.js';
import type { StepEffect } from '../lifecycle/step/open-step.js';
import type { ReviewEffect } from '../lifecycle/step/review.js';

/**
 * What Temporal's UI shows of a run: no personal data.
 *
 * @param lines where it stands.
 * @param doing what it is doing, in words; undefined while it waits.
 * @param deadline what it waits for.
 * @param remarks why it stands there, and what an operator should know.
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

/** @param reading how a read is put in words. */
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
