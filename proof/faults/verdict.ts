import type { Discrepancy } from './discrepancy.js';
import type { EndVerdict } from './judge-end.js';
import { judgeRepeats } from './judge-repeats.js';
import type { Verdict } from './lifecycle.js';
import { acceptedCommands, orderedId, type ScenarioRecord } from './record.js';

interface Findings {
  readonly orderId: string;
  readonly ordered: 'payment' | 'payout' | 'subscription';
  /** What should have happened. */
  readonly scenario: string;
  /** In words, for the person who looks into it. */
  readonly books: string;
  readonly found: readonly Discrepancy[];
  readonly end: EndVerdict;
}

/** Everything that was found about one scenario, under its name, together with how its requests were repeated. */
export function verdictOn(
  record: ScenarioRecord<unknown>,
  { orderId, ordered, scenario, books, found, end }: Findings,
): Verdict {
  const who = `order ${orderId}, ${ordered} ${orderedId(record) ?? 'unknown'} (${scenario})`;
  const all = [...found, ...judgeRepeats(record), ...end.discrepancies];
  return {
    discrepancies: all.map(({ kind, what }) => ({ kind, what: `${who}: ${what}; the books show ${books}` })),
    requests: acceptedCommands(record).length,
    ...(end.explanation !== undefined && { explanation: `${who}: ${end.explanation}` }),
  };
}
