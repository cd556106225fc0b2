import { describe, expect, it } from 'vitest';
import { ReportedEnds } from '#proof/faults/reported-ends.js';
import {
  cancelledItem,
  captured,
  cycles,
  items,
  payment,
  payout,
  plan,
  problem,
  refund,
  refunds,
  withCapture,
  withRefund,
  withSale,
} from './sample-answers.js';

interface Answer {
  readonly told?: unknown;
  readonly body?: unknown;
  readonly problem?: unknown;
  readonly redirect?: string;
  readonly path?: string;
  readonly askedAt?: number;
}

/** Each answer is asked for and told at once, a millisecond after the one before, unless it says when it was asked. */
function reported(answers: readonly Answer[]): string[] {
  let now = 0;
  const ends = new ReportedEnds(() => now);
  for (const { body, told, problem: refusal, redirect, path = '/v1/somewhere', askedAt } of answers) {
    now += 1;
    const at = askedAt ?? now;
    if (told !== undefined) ends.noteNotification(told as object, path);
    else if (redirect !== undefined) ends.noteRedirect(redirect, at);
    else if (refusal !== undefined) ends.noteProblem(refusal, { method: 'POST', path, at });
    else ends.noteAnswer(body, { method: 'GET', path, at });
  }
  return ends.discrepancies.map(({ kind, what }) => `${kind}: ${what}`);
}

const ofPayments = (...statuses: readonly string[]) =>
  statuses.map((status) => ({ body: cycles(status), path: '/v1/subscriptions/sub_1/payments?limit=100' }));
const bodies = (...all: readonly unknown[]): Answer[] => all.map((body) => ({ body }));
const redirect = 'https://shop.example/paid?order=7&payment_id=pay_1&state=expired';

describe('ends that a campaign was shown', () => {
  it('include an end that was shown in a redirect and undone', () => {
    expect(reported([{ redirect }, { body: payment('completed') }])).toEqual([
      'finalUndone: pay_1 was told expired (redirect), then completed (GET /v1/somewhere), asked 1 ms after that',
    ]);
  });

  it('are counted by resource, without its parts', () => {
    const ends = new ReportedEnds();
    const asked = { method: 'GET', path: '/v1/payments/pay_1', at: 0 } as const;
    ends.noteAnswer(withCapture('completed'), asked);
    ends.noteAnswer(refund('completed'), asked);
    expect(ends.count).toBe(2);
  });

  it.each([
    ['an end that goes back to a state under way', bodies(payment('captured'), payment('capturing'))],
    ['one end that becomes another', bodies(payment('cancelled'), payment('expired'))],
    [
      'another end in an answer that was asked for before',
      [{ body: payment('expired') }, { body: payment('completed'), askedAt: 0 }],
    ],
    ['a payment in the answer to a capture', bodies(captured('completed', 'captured'), payment('capturing'))],
    [
      'a capture in the answer to a capture',
      bodies(captured('completed', 'captured'), withCapture('denied')),
    ],
    ['a capture that was there and is denied', bodies(withCapture('completed'), withCapture('denied'))],
    [
      'a capture in the list of captures',
      [
        { body: { data: [{ id: 'CAP-1', state: 'completed' }] }, path: '/v1/payments/pay_1/captures' },
        { body: { data: [{ id: 'CAP-1', state: 'denied' }] }, path: '/v1/payments/pay_1/captures' },
      ],
    ],
    ['a sale that was denied and is there', bodies(withSale('denied'), withSale('completed'))],
    ['a refund that had failed', bodies(refund('failed'), refund('pending'))],
    ['a refund in its payment', bodies(withRefund('completed'), refund('pending'))],
    ['a refund in a list', bodies(refund('completed'), refunds('failed'))],
    ['a payment in a list', bodies(payment('voided'), { data: [payment('voiding')], nextCursor: null })],
    ['a payout', bodies(payout('completed'), payout('settling'))],
    ['a plan', bodies(plan('deleted'), plan('active'))],
    ['a payment of a subscription', ofPayments('completed', 'pending')],
    [
      'a payment of a subscription that was refunded, and is pending',
      ofPayments('completed', 'refunded', 'pending'),
    ],
  ])('include %s', (_what, answers) => {
    expect(reported(answers)).toHaveLength(1);
  });

  it.each([
    ['a paid one that is pending again', [{ body: items('success') }, { body: items('pending') }]],
    [
      'one that was returned by request, and is shown as paid',
      [
        { body: cancelledItem('returned'), path: '/v1/payouts/po_1/items/anna/cancel' },
        { body: items('success') },
      ],
    ],
    [
      'one that a refusal called paid',
      [
        {
          problem: problem(409, { currentState: 'success', payoutId: 'po_1' }),
          path: '/v1/payouts/po_1/items/anna/cancel',
        },
        { body: items('unclaimed') },
      ],
    ],
  ])('include an item: %s', (_what, answers) => {
    const ofPayout = answers.map((answer) => ({ path: '/v1/payouts/po_1/items?cursor=1', ...answer }));
    expect(reported(ofPayout)).toHaveLength(1);
  });

  it.each([
    [
      'told by a 409',
      [
        { problem: problem(409, { currentState: 'expired', paymentId: 'pay_1' }) },
        { body: payment('captured') },
      ],
    ],
    [
      'undone by a 409',
      [
        { body: payment('expired') },
        { problem: problem(409, { currentState: 'awaiting_approval', paymentId: 'pay_1' }) },
      ],
    ],
    [
      'told by a 402',
      [
        { problem: problem(402, { currentState: 'declined', paymentId: 'pay_1' }) },
        { body: payment('authorized') },
      ],
    ],
    [
      'of a refund that a 402 called refused',
      [
        { problem: problem(402, { code: 'provider_refused', refundId: 're_1', paymentId: 'pay_1' }) },
        { body: refund('completed') },
      ],
    ],
    [
      'of a subscription',
      [
        { problem: problem(409, { currentState: 'cancelled', subscriptionId: 'sub_1' }) },
        { problem: problem(409, { currentState: 'active', subscriptionId: 'sub_1' }) },
      ],
    ],
    [
      'of a payout',
      [
        { problem: problem(409, { currentState: 'denied', payoutId: 'po_1' }), path: '/v1/payouts' },
        { body: payout('processing') },
      ],
    ],
  ])('include one %s', (_what, answers) => {
    expect(reported(answers)).toHaveLength(1);
  });

  it.each([
    ['of a payment and undone', [{ told: payment('captured') }, { body: payment('capturing') }]],
    ['otherwise than an answer', [{ body: payment('voided') }, { told: payment('captured') }]],
    [
      'of an item and undone',
      [
        { told: { payoutId: 'po_1', itemId: 'anna', state: 'returned' }, path: '/v1/payouts/po_1/items' },
        { body: items('unclaimed'), path: '/v1/payouts/po_1/items' },
      ],
    ],
  ])('include one that a notification told, %s', (_what, answers) => {
    expect(reported(answers)).toHaveLength(1);
  });

  it('are not undone by a notification that was written before them', () => {
    expect(reported([{ body: payment('captured') }, { told: payment('authorized') }])).toEqual([]);
  });

  it.each([
    ['states under way', bodies(payment('executing'), payment('awaiting_approval'), payment('completed'))],
    ['the same end again', bodies(payment('expired'), payment('expired'))],
    [
      'an older answer that comes late',
      [{ body: payment('expired') }, { body: payment('executing'), askedAt: 0 }],
    ],
    [
      'a refusal that was kept since before the end',
      [
        { body: payment('captured') },
        { problem: problem(409, { currentState: 'partially_captured', paymentId: 'pay_1' }), askedAt: 0 },
      ],
    ],
    ['a review', bodies(payment('needs_review'), payment('captured'))],
    [
      'a capture that was pending when it was answered, and is denied',
      bodies(captured('pending', 'capturing'), withCapture('denied', 'authorized')),
    ],
    [
      'a payment of a subscription that is refunded, and then not, then charged back',
      ofPayments('completed', 'refunded', 'completed', 'reversed'),
    ],
    [
      'an item that is paid, then reversed',
      [items('success'), items('reversed')].map((body) => ({ body, path: '/v1/payouts/po_1/items' })),
    ],
    [
      'items of two payouts under one name',
      [
        { body: items('returned'), path: '/v1/payouts/po_1/items' },
        { body: items('success'), path: '/v1/payouts/po_2/items' },
      ],
    ],
    ['what is no resource', bodies(null, [], { id: 7 })],
  ])('do not include %s', (_what, answers) => {
    expect(reported(answers)).toEqual([]);
  });
});
