import { describe, expect, test } from 'vitest';
import { notificationTypeNames } from '#database/notifications';
import { itemNews, payoutNews } from '#database/notifications/payout-news.js';
import { paymentNews, refundNews } from '#database/notifications/subject-news.js';
import { subscriptionNews, subscriptionPaymentNews } from '#database/notifications/subscription-news.js';
import type { TimelineEntry } from '#workflows/lifecycle';
import type { PaymentStatus } from '#workflows/lifecycle/payment';
import { advanceRefund, observedRefund, type RefundFacts } from '#workflows/lifecycle/refund';
import { capture, inDoubt, payment, settled } from '../lifecycle/payment/sample-payments.js';
import { payout } from '../lifecycle/payout/sample-payouts.js';
import { patience, refund } from '../lifecycle/refund/sample-refunds.js';
import { subscription } from '../lifecycle/subscription/sample-subscriptions.js';

type RefundPosition = Parameters<typeof advanceRefund>[0];

function line(from: string, to: string, event = 'providerObserved', kind: TimelineEntry['kind'] = 'moved') {
  return [{ version: 7, event, kind, from, to, at: 0 }];
}

const typesOf = (news: readonly { readonly type: string }[]) => news.map(({ type }) => type);
const held = (status: PaymentStatus) => settled(payment(status));

describe('a payment', () => {
  test.each([
    ['creating', 'awaiting_approval', ['payment.awaiting_approval']],
    ['authorizing', 'authorized', ['payment.authorized']],
    ['authorizing', 'capturing', ['payment.authorized']],
    ['capturing', 'captured', ['payment.captured']],
    ['voiding', 'voided', ['payment.voided']],
    ['authorized', 'expired', ['payment.expired']],
    ['executing', 'pending', ['payment.pending']],
    ['pending', 'completed', ['payment.completed']],
    ['authorizing', 'declined', ['payment.declined']],
    ['awaiting_approval', 'cancelled', ['payment.cancelled']],
    ['authorized', 'capturing', []],
    ['voiding', 'authorized', []],
    ['authorized', 'authorized', []],
  ] as const)('from %s to %s tells %j', (from, to, types) => {
    expect(typesOf(paymentNews(held(to), line(from, to)))).toEqual(types);
  });

  test('tells a partial capture once for each captured amount', () => {
    const state = { ...held('partially_captured'), captures: [capture(30_00)] };
    const news = paymentNews(state, line('capturing', 'partially_captured', 'captureAnswered'));
    expect(news).toEqual([{ type: 'payment.partially_captured', fact: 'captured:3000', version: 7 }]);
  });

  test('tells a part that was captured elsewhere beside one that was told, and no other read of it', () => {
    const state = { ...held('partially_captured'), captures: [capture(30_00), capture(20_00)] };
    const to = 'partially_captured';
    const fact = 'captured:5000';
    expect(paymentNews(state, line(to, to, 'providerObserved'))).toMatchObject([{ fact }]);
    expect(typesOf(paymentNews(state, line(to, to, 'honourPeriodEnded')))).toEqual(['payment.hold_expiring']);
  });

  test('tells of a capture that was not made, and of one that was denied later', () => {
    const refused = paymentNews(held('authorized'), line('capturing', 'authorized', 'stepDeclined'));
    expect(typesOf(refused)).toEqual(['payment.capture_failed']);
    const denied = { ...held('authorized'), captures: [capture(30_00, { status: 'denied' as const })] };
    expect(typesOf(paymentNews(denied, line('capturing', 'authorized')))).toEqual(['payment.capture_failed']);
  });

  test.each(['expired', 'captured', 'voided', 'declined'] as const)(
    'tells of a capture that was denied before the end that it leads to: %s',
    (end) => {
      const captures = [capture(60_00, { status: 'denied' })];
      const news = paymentNews({ ...held(end), captures }, line('capturing', end));
      expect(typesOf(news)).toEqual(['payment.capture_failed', `payment.${end}`]);
    },
  );

  test('tells of a capture that was refused beside a pending one, and of none that is repeated', () => {
    const pending = { ...held('capturing'), captures: [capture(60_00, { status: 'pending' as const })] };
    const refused = line('capturing', 'capturing', 'stepDeclined');
    expect(typesOf(paymentNews(pending, refused))).toEqual(['payment.capture_failed']);
    const putOff = line('capturing', 'capturing', 'stepDeferred');
    expect(paymentNews(payment('capturing'), putOff)).toEqual([]);
    const answered = line('capturing', 'capturing', 'captureAnswered');
    expect(paymentNews(pending, [...putOff, ...answered])).toEqual([]);
  });

  test.each([
    ['capture', 'stepDecidedUndone', 'payment.capture_failed'],
    ['void', 'stepDecidedUndone', 'payment.void_failed'],
    ['release', 'stepProvedUndone', 'payment.void_failed'],
    ['reauthorize', 'stepDecidedUndone', 'payment.reauthorization_failed'],
  ] as const)('tells of a %s that was under review and was not made (%s)', (kind, event, type) => {
    const commands = [
      { kind: 'decide', status: 'succeeded' },
      { kind, status: 'failed' },
    ] as const;
    const news = paymentNews(held('authorized'), line('needs_review', 'authorized', event), commands);
    expect(news).toEqual([
      { type: 'payment.authorized', fact: 'authorized', version: 7 },
      { type, fact: expect.stringMatching(/^failed:\d+$/) as string, version: 7 },
    ]);
  });

  test('warns again in the honour period of a reauthorization that kept the id of the hold', () => {
    const warning = line('authorized', 'authorized', 'honourPeriodNearedEnd');
    const first = held('authorized');
    const again = { ...first, reauthorizations: { earlier: [{}], latest: {} } } as unknown as typeof first;
    const facts = [first, again].flatMap((state) => paymentNews(state, warning)).map(({ fact }) => fact);
    expect(new Set(facts).size).toBe(2);
  });

  test('tells each warning before the end of a hold, each once', () => {
    const events = ['honourPeriodNearedEnd', 'honourPeriodEnded', 'captureWindowNearedEnd'];
    const news = events.flatMap((event) =>
      paymentNews(held('authorized'), line('authorized', 'authorized', event)),
    );
    expect(typesOf(news)).toEqual(Array(3).fill('payment.hold_expiring'));
    expect(new Set(news.map(({ fact }) => fact)).size).toBe(3);
  });

  test('tells of a doubt and of a review, once for each step', () => {
    const doubted = inDoubt(payment('capturing'));
    expect(paymentNews(doubted, line('capturing', 'capturing', 'outcomeUnknown'))).toMatchObject([
      { type: 'payment.in_doubt', fact: expect.stringMatching(/^in_doubt:\d+:0$/) as string },
    ]);
    const reviewed = { ...doubted, status: 'needs_review' as const };
    expect(typesOf(paymentNews(reviewed, line('capturing', 'needs_review')))).toEqual([
      'payment.needs_review',
    ]);
  });

  test('tells of the second review of a step, too: its repeat is in doubt', () => {
    const reviews = [0, 1].flatMap((attempts) => {
      const { openStep, ...doubted } = inDoubt(payment('capturing'));
      const reviewed = { ...doubted, status: 'needs_review' as const };
      const state = { ...reviewed, ...(openStep && { openStep: { ...openStep, attempts } }) };
      return paymentNews(state, line('capturing', 'needs_review'));
    });
    expect(typesOf(reviews)).toEqual(['payment.needs_review', 'payment.needs_review']);
    expect(new Set(reviews.map(({ fact }) => fact)).size).toBe(2);
  });

  test('tells nothing of a refused request or a conflict', () => {
    for (const kind of ['refused', 'conflict'] as const)
      expect(paymentNews(held('captured'), line('capturing', 'captured', 'voidRequested', kind))).toEqual([]);
  });
});

test('a refund is created with its first status at the provider, and given up only once it was one', () => {
  const of = (from: string, to: 'pending' | 'completed' | 'failed' | 'declined' | 'unfounded') =>
    typesOf(refundNews(refund(to), line(from, to)));
  expect(of('requesting', 'pending')).toEqual(['refund.created', 'refund.pending']);
  expect(of('requesting', 'completed')).toEqual(['refund.created', 'refund.completed']);
  expect(of('pending', 'failed')).toEqual(['refund.failed']);
  expect(of('requesting', 'declined')).toEqual(['refund.failed']);
  expect(of('observed', 'unfounded')).toEqual([]);
  const chargeback = {
    ...refund('completed'),
    claim: { kind: 'reversal', collected: { kind: 'sale', id: 'S' } },
  } as const;
  expect(typesOf(refundNews(chargeback, line('observed', 'completed')))).toEqual([
    'chargeback.created',
    'chargeback.completed',
  ]);
});

test('a chargeback is told as completed with its amount, once that is known', () => {
  const collected = { kind: 'capture', id: 'C-1' } as const;
  const money = { minor: 10_000, currency: 'USD' };
  const observe = (position: RefundPosition, more: Partial<RefundFacts>) => {
    const facts = {
      state: 'completed',
      collected: { ...collected, amount: money, state: 'partially_refunded' },
      paymentId: 'pay_1',
      ...more,
    };
    const { position: after, entry } = advanceRefund(position, { type: 'refundObserved', facts }, 1_000);
    return { after, told: typesOf(refundNews(after.state, entry ? [entry] : [])) };
  };
  const reported = observedRefund({ kind: 'reversal', collected }, 'pay_1', patience, 0);
  const part = observe({ state: reported, version: 0 }, {});
  expect(part.told).toEqual(['chargeback.created']);
  const all = observe(part.after, { chargedBack: money });
  expect(all.told).not.toContain('chargeback.completed');
  const known = observe(all.after, { amount: { ...money, minor: 4_000 }, chargedBack: money });
  expect(known.told).toContain('chargeback.completed');
  expect(known.after.state).toMatchObject({ status: 'completed', amount: { minor: 4_000 } });
});

test('a subscription that waits for its payer again says so if the execution was in doubt', () => {
  const waiting = { ...subscription('awaiting_approval'), stepsBegun: 4 };
  const again = line('executing', 'awaiting_approval', 'approvalFoundMissing');
  expect(subscriptionNews(waiting, again)).toMatchObject([
    { fact: 'awaiting_approval' },
    { type: 'subscription.awaiting_approval', fact: 'awaiting_approval:4', ends: 'in_doubt:4:' },
  ]);
});

test('a subscription notifies of its billing only if the last notification said otherwise', () => {
  expect(subscriptionNews(subscription('active'), line('executing', 'active'))).toEqual([
    { type: 'subscription.activated', fact: 'activated', after: [''], version: 7 },
    { type: 'subscription.reactivated', after: ['subscription.suspended'], version: 7 },
  ]);
  expect(subscriptionNews(subscription('suspended'), [])).toEqual([
    { type: 'subscription.suspended', after: ['subscription.activated', 'subscription.reactivated'] },
  ]);
  for (const end of ['cancelled', 'expired', 'declined', 'lapsed'] as const)
    expect(typesOf(subscriptionNews(subscription(end), line('active', end)))).toEqual([
      `subscription.${end}`,
    ]);
});

test('a payout notifies of each of its states, and each type of notification is in some table', () => {
  for (const [to, type] of [
    ['processing', 'payout.processing'],
    ['settling', 'payout.processing'],
    ['completed', 'payout.completed'],
    ['denied', 'payout.denied'],
    ['cancelled', 'payout.cancelled'],
    ['declined', 'payout.declined'],
  ] as const)
    expect(payoutNews(payout(to), line('creating', to))).toEqual([{ type, fact: type, version: 7 }]);
  expect(subscriptionPaymentNews('1', 'completed')).toEqual([
    { type: 'subscription.cycle_billed', fact: 'billed:1' },
  ]);
  expect(subscriptionPaymentNews('1', 'failed')).toEqual([
    { type: 'subscription.payment_failed', fact: 'failed:1' },
  ]);
  const items = notificationTypeNames.filter((type) => type.startsWith('payout_item.'));
  expect(Object.values(itemNews).toSorted()).toEqual(items.toSorted());
});
