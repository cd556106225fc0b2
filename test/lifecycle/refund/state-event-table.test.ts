import { describe, expect, it } from 'vitest';
import { refundStatuses, transitionRefund } from '#workflows/lifecycle/refund';
import { sampleEvents } from './sample-events.js';
import { doubtedRequest, refund, startedAt } from './sample-refunds.js';

const now = startedAt + 1_000;

/**
 * A cell: where the refund then stands and what is done next; `=` changes something, `-` tells nothing new, `!` is
 * refused. `doubt` is `requesting` with the answer lost.
 */
const table = `
event                              | requesting | doubt       | observed   | pending   | completed | failed   | cancelled | declined | unfounded | needs_review
answered completed                 | completed  | completed   | -          | -         | -         | -        | -         | -        | -         | completed
answered pending                   | pending    | pending     | -          | -         | -         | -        | -         | -        | -         | pending
answered failed                    | failed     | failed      | -          | -         | -         | -        | -         | -        | -         | failed
answered in an unknown state       | pending    | pending     | -          | -         | -         | -        | -         | -        | -         | pending
came to light                      | -          | -           | -          | -         | -         | -        | -         | completed | -        | -
declined                           | declined   | declined    | -          | -         | -         | -        | -         | -        | -         | declined
deferred                           | =          | =           | -          | -         | -         | -        | -         | -        | -         | requesting
outcome unknown                    | =          | =           | -          | -         | -         | -        | -         | -        | -         | =
proved undone                      | = perform  | = perform   | -          | -         | -         | -        | -         | -        | -         | requesting perform
look inconclusive                  | -          | =           | -          | -         | -         | -        | -         | -        | -         | =
step came due                      | -          | = lookUp    | -          | -         | -         | -        | -         | -        | -         | = lookUp
review came due                    | -          | needs_review| -          | -         | -         | -        | -         | -        | -         | -
decided: happened                  | !          | !           | !          | !         | !         | !        | !         | !        | !         | = verifyDecision
decision refused                   | -          | -           | -          | -         | -         | -        | -         | -        | -         | !
decided undone                     | -          | -           | -          | -         | -         | -        | -         | -        | -         | failed
is notified                        | -          | = lookUp    | = observe  | = observe | -         | -        | -         | -        | -         | = lookUp
asked for its amount               | -          | = lookUp    | = observe  | = observe | -         | -        | -         | -        | -         | = lookUp
poll came due                      | -          | -           | = observe  | = observe | -         | -        | -         | -        | -         | -
shown pending                      | -          | -           | pending    | =         | -         | -        | -         | -        | -         | -
shown completed                    | -          | -           | completed  | completed | -         | conflict | conflict  | conflict | conflict  | -
shown completed, capture untouched | -          | -           | pending    | =         | -         | conflict | conflict  | conflict | conflict  | -
shown failed                       | -          | -           | failed     | failed    | conflict  | -        | conflict  | conflict | conflict  | -
shown cancelled                    | -          | -           | cancelled  | cancelled | conflict  | conflict | -         | conflict | conflict  | -
shown in an unknown state          | -          | -           | pending    | =         | -         | -        | -         | -        | -         | -
shown of another amount            | -          | -           | completed  | conflict  | conflict  | conflict | conflict  | conflict | conflict  | -
shown of another capture           | -          | -           | completed  | conflict  | conflict  | conflict | conflict  | conflict | conflict  | -
shown above what was captured      | -          | -           | conflict   | conflict  | conflict  | conflict | conflict  | conflict | conflict  | -
shown as nobody’s of ours          | -          | -           | unfounded  | unfounded | -         | conflict | conflict  | conflict | conflict  | -
shown as our own                   | -          | -           | unfounded  | unfounded | -         | conflict | conflict  | conflict | conflict  | -
shown as our own, unanswered       | -          | -           | -          | -         | -         | conflict | conflict  | conflict | conflict  | -
missing at once                    | -          | -           | -          | -         | -         | -        | -         | -        | -         | -
missing at the horizon             | -          | -           | unfounded  | -         | -         | -        | -         | -        | -         | -
read failed                        | -          | -           | -          | -         | -         | -        | -         | -        | -         | -
`;

describe('every state with every event', () => {
  const [head = '', ...lines] = table.trim().split('\n');
  const [, ...columns] = cells(head);
  it('is in the table', () => {
    expect(columns.filter((column) => column !== 'doubt').toSorted()).toEqual([...refundStatuses].toSorted());
    expect(lines.map((line) => cells(line)[0])).toEqual(Object.keys(sampleEvents));
  });

  const cases = lines.flatMap((line) => {
    const [name = '', ...expected] = cells(line);
    return columns.map((column, n) => ({ name, column, expected: expected[n] ?? '' }));
  });
  it.each(cases)('$column, $name: $expected', ({ name, column, expected }) => {
    const state = column === 'doubt' ? doubtedRequest() : refund(column as (typeof refundStatuses)[number]);
    const result = transitionRefund(state, sampleEvents[name]!, now);
    const moved = result.state.status === state.status ? '=' : result.state.status;
    const effect = result.kind === 'moved' && result.effect ? ` ${result.effect.type}` : '';
    const outcome = { moved: moved + effect, stale: '-', refused: '!', conflict: 'conflict' }[result.kind];
    expect(outcome).toBe(expected);
    if (result.kind === 'conflict') {
      const { contradiction, ...rest } = result.state;
      expect(rest).toEqual(state);
      expect(contradiction).toBe(result.reason);
    }
  });
});

function cells(line: string): string[] {
  return line.split('|').map((cell) => cell.trim());
}
