import { type Discrepancy, doubled, lost, stuck } from './discrepancy.js';
import type { PlayedStory } from './production.js';
import type { Movement } from './sandbox-admin.js';

export interface Judgement {
  readonly discrepancies: readonly Discrepancy[];
  /** Accepted requests that were compared with the books. */
  readonly requests: number;
  /** Payments that ended otherwise than planned, and the engine says why. */
  readonly explanations: readonly string[];
}

/**
 * Judges every story by its own movements; movements that belong to none moved money for nobody.
 *
 * @param movements all that the books hold.
 * @param violations of the rules of double entry.
 */
export function judgeStories(
  stories: readonly PlayedStory[],
  movements: readonly Movement[],
  violations: readonly string[],
): Judgement {
  const unclaimed = Map.groupBy(movements, ({ custom }) => custom ?? 'no reference');
  const discrepancies: Discrepancy[] = violations.map((violation) =>
    lost(`the books break a rule: ${violation}`),
  );
  const explanations: string[] = [];
  let requests = 0;
  for (const { story, failure } of stories) {
    const reference = story.reference() ?? '';
    const verdict = story.judge(unclaimed.get(reference) ?? []);
    unclaimed.delete(reference);
    if (failure !== undefined) discrepancies.push(stuck(`${reference} (${story.title}): ${failure}`));
    discrepancies.push(...verdict.discrepancies);
    requests += verdict.requests;
    if (verdict.explanation !== undefined) explanations.push(verdict.explanation);
  }
  for (const [reference, strangers] of unclaimed) {
    const ids = strangers.map(({ id, kind, amountMinor }) => `#${id} ${kind} of ${amountMinor}`).join(', ');
    discrepancies.push(doubled(`${reference}: money moved that belongs to no order: ${ids}`));
  }
  return { discrepancies, requests, explanations };
}
