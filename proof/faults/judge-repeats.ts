import { z } from 'zod';
import { type Discrepancy, finalUndone, stuck } from './discrepancy.js';
import type { Command } from './order-service.js';
import type { ScenarioRecord } from './record.js';

const named = z.object({ id: z.string(), capture: z.object({ id: z.string() }).nullish() }).partial();

/** The same key must give the same answer, also for a refusal: a copy must not do what only a new request may do. */
export function judgeRepeats({ repeats }: Pick<ScenarioRecord<unknown>, 'repeats'>): Discrepancy[] {
  return repeats.flatMap(({ first, again }) => {
    const what = `${first.kind} ${nameIn(first) || first.key}, ${first.outcome} at first`;
    if (again.outcome === 'open') return [stuck(`${what}, was not answered again`)];
    if (again.outcome === first.outcome && nameIn(again) === nameIn(first)) return [];
    const otherwise = again.detail ?? (nameIn(again) || again.outcome);
    return [finalUndone(`${what}, was answered otherwise when repeated: ${otherwise}`)];
  });
}

/** What an answer is about: the ids that it names. A failure names none. */
function nameIn({ outcome, answer }: Command): string {
  if (outcome !== 'succeeded' || answer === undefined) return '';
  const { id, capture } = named.parse(answer);
  return [id, capture?.id].filter((name) => name !== undefined).join(' ');
}
