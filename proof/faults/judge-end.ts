import { type Discrepancy, needsReview, stuck } from './discrepancy.js';
import type { ScenarioRecord } from './record.js';

interface EndedView {
  readonly state: string;
  readonly reason?: string | null | undefined;
}

export interface EndVerdict {
  readonly discrepancies: readonly Discrepancy[];
  /** Ended otherwise than planned, and the engine said why before it was asked. */
  readonly explanation?: string;
}

/**
 * Whether a scenario reached its planned end, or another one that the engine explains.
 *
 * @param planned the states in which it may stand in the end.
 * @param isExcused whether the provider not doing it can lead to this other state, as the books stand.
 * @param isTold the answers to the requests explain it: the payment itself needs no reason.
 */
export function judgeEnd(
  { final, commands }: ScenarioRecord<EndedView>,
  planned: readonly string[],
  isExcused: (state: string) => boolean,
  isTold = false,
): EndVerdict {
  const open = commands.filter(({ outcome }) => outcome === 'open');
  const reason = final?.reason ?? 'no reason given';
  if (final?.state === 'needs_review') {
    // The faults are over and the provider's reads are right again, so the engine could have proved the outcome.
    return { discrepancies: [needsReview(reason), stuck(`it was left in review (${reason})`)] };
  }
  if (!final || open.length > 0) {
    const what = open.map(({ kind, key }) => `${kind} with key ${key}`).join(', ');
    return { discrepancies: [stuck(`${final?.state ?? 'not readable'}, without a final answer to ${what}`)] };
  }
  if (planned.includes(final.state)) return { discrepancies: [] };
  const details = commands.flatMap(({ detail }) => detail ?? []).join('; ');
  const explanation = `${final.state}, because ${reason}${details && `; ${details}`}`;
  if (isExcused(final.state) && (final.reason || isTold)) return { discrepancies: [], explanation };
  return { discrepancies: [stuck(explanation)] };
}
