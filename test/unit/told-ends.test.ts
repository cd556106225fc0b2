import { describe, expect, it } from 'vitest';
import { ToldEnds } from '#proof/faults/told-ends.js';

/** Each answer is asked for and told at once, a millisecond after the one before, unless it says when it was asked. */
function told(answers: readonly { body?: unknown; redirect?: string; askedAt?: number }[]): string[] {
  let now = 0;
  const ends = new ToldEnds(() => now);
  for (const { body, redirect, askedAt } of answers) {
    now += 1;
    if (redirect !== undefined) ends.noteRedirect(redirect, askedAt ?? now);
    else ends.noteAnswer(body, 'GET', askedAt ?? now);
  }
  return ends.discrepancies.map(({ kind, what }) => `${kind}: ${what}`);
}

const payment = (state: string, captures: readonly object[] = []) => ({
  body: { id: 'pay_1', state, captures },
});

describe('ends that a campaign was told', () => {
  it('include an end that was shown in a redirect and undone', () => {
    const redirect = 'https://shop.example/paid?order=7&payment_id=pay_1&state=expired';
    expect(told([{ redirect }, payment('completed')])).toEqual([
      'finalUndone: pay_1 was told expired (redirect), then completed (GET), asked 1 ms after that',
    ]);
  });

  it.each([
    ['an end that goes back to a state under way', [payment('captured'), payment('capturing')]],
    ['one end that becomes another', [payment('cancelled'), payment('expired')]],
    [
      'another end in an answer that was asked for before',
      [payment('expired'), { ...payment('completed'), askedAt: 0 }],
    ],
    [
      'a capture that was there and is denied',
      [
        payment('captured', [{ id: 'C1', status: 'completed' }]),
        payment('captured', [{ id: 'C1', status: 'denied' }]),
      ],
    ],
    [
      'a refund that had failed',
      [{ body: { id: 're_1', status: 'failed' } }, { body: { id: 're_1', status: 'pending' } }],
    ],
  ])('include %s', (_what, answers) => {
    expect(told(answers)).toHaveLength(1);
  });

  it.each([
    ['states under way', [payment('executing'), payment('awaiting_approval'), payment('completed')]],
    ['the same end again', [payment('expired'), payment('expired')]],
    ['an older answer that comes late', [payment('expired'), { ...payment('executing'), askedAt: 0 }]],
    ['a review', [payment('needs_review'), payment('captured')]],
    [
      'a refund of what was captured',
      [
        payment('captured', [{ id: 'C1', status: 'completed' }]),
        payment('captured', [{ id: 'C1', status: 'refunded' }]),
      ],
    ],
    ['what is no resource', [{ body: null }, { body: [] }, { body: { id: 7 } }]],
  ])('do not include %s', (_what, answers) => {
    expect(told(answers)).toEqual([]);
  });
});
