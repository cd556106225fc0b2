import { describe, expect, it } from 'vitest';
import { judgeNotifications } from '#proof/faults/notifications/judge-notifications.js';
import type { Notified } from '#proof/faults/notifications/notified.js';
import { type Reception, shownBy } from '#proof/faults/notifications/reception.js';
import { movement } from '../faults/commands-and-movements.js';
import { usd } from '../helpers/usd.js';

const at = (second: number): Date => new Date(Date.UTC(2030, 0, 31) + second * 1_000);

/** A delivery in the second of its sequence, taken at once. */
function reception(sequence: number, type: string, data: Reception['data']): Reception {
  return { id: `evt_${sequence}`, type, sequence, data, at: at(sequence) };
}

const payment = (state: string, captured: string) => ({
  id: 'pay_1',
  state,
  version: 1,
  amounts: { authorized: usd('10.00'), captured: usd(captured) },
});
const refund = (state: string) => ({
  id: 're_1',
  state,
  providerRefundId: 'REF-1',
  captureId: 'CAP-1',
  saleId: null,
});
const item = (state: string) => ({ payoutId: 'po_1', itemId: 'anna', state });
const resource = (id: string, state: string) => ({ id, state, version: 9 });

const told: readonly Reception[] = [
  reception(1, 'payment.authorized', payment('authorized', '0.00')),
  reception(2, 'payment.captured', payment('captured', '10.00')),
  reception(3, 'refund.created', refund('completed')),
  reception(4, 'refund.completed', refund('completed')),
  reception(5, 'subscription.activated', resource('sub_1', 'active')),
  reception(6, 'subscription.cycle_billed', resource('sub_1', 'active')),
  reception(7, 'subscription.cycle_billed', resource('sub_1', 'active')),
  reception(8, 'payout.processing', resource('po_1', 'settling')),
  reception(9, 'payout_item.succeeded', item('success')),
  reception(10, 'payout.completed', resource('po_1', 'completed')),
];

const sound: Notified = {
  receptions: inOrder(told),
  listed: told.map(({ id, type, data }) => ({
    id,
    type,
    subjectId: shownBy({ type, data }).name,
    deliveries: [{ state: 'delivered' }],
  })),
  shown: {
    payments: [{ ...resource('pay_1', 'captured'), captures: [{ state: 'completed' }] }],
    refunds: [{ ...resource('re_1', 'completed'), kind: 'refund', amount: usd('10.00') }],
    subscriptions: [
      {
        ...resource('sub_1', 'active'),
        payments: [
          { id: 'SALE-1', state: 'completed' },
          { id: 'SALE-2', state: 'refunded' },
        ],
      },
    ],
    payouts: [{ ...resource('po_1', 'completed'), items: [{ itemId: 'anna', state: 'success' }] }],
  },
  movements: [
    movement('hold', 1_000, { custom: 'pay_1', createdAt: at(0) }),
    movement('capture', 1_000, { custom: 'pay_1', captureId: 'CAP-1', createdAt: at(1) }),
    movement('refund', 1_000, { refundId: 'REF-1', captureId: 'CAP-1', createdAt: at(2) }),
    movement('sale', 500, { saleId: 'SALE-1', createdAt: at(5) }),
    movement('sale', 500, { saleId: 'SALE-2', createdAt: at(6) }),
    movement('payout', 300, { invoiceNumber: 'po_1', custom: 'anna', createdAt: at(7) }),
  ],
};

/** As they come one after the other, each taken before the next one unless it is `untaken`. */
function inOrder(all: readonly Reception[], ...untaken: readonly Reception[]): Reception[] {
  return all.map((each, place) => (untaken.includes(each) ? each : { ...each, takenAfter: place + 1 }));
}

function found(change: Partial<Notified>): string[] {
  return judgeNotifications({ ...sound, ...change }).map(({ kind, what }) => `${kind}: ${what}`);
}

/** Without the delivery of that number, counted from 1, as if the engine had never written it. */
const without = (number: number): Partial<Notified> => ({
  receptions: inOrder(told.toSpliced(number - 1, 1)),
  listed: sound.listed.toSpliced(number - 1, 1),
});
const nth = (number: number): Reception => told[number - 1] ?? reception(0, '', {});
const withData = (number: number, data: Reception['data']): Partial<Notified> => ({
  receptions: inOrder(told.with(number - 1, { ...nth(number), data })),
});
const booked = (changed: (movements: Notified['movements']) => Notified['movements']): Partial<Notified> => ({
  movements: changed(sound.movements),
});
const late = (place: number) => booked((all) => all.with(place, movementAt(all, place, 99)));

function movementAt(all: Notified['movements'], place: number, second: number) {
  const one = all[place];
  if (!one) throw new RangeError(`no movement ${place}`);
  return { ...one, createdAt: at(second) };
}

describe('the judge of notifications', () => {
  it('accepts what was told once, in order and when it was so', () => {
    expect(found({})).toEqual([]);
  });

  it('accepts a delivery that comes again', () => {
    const again = [...inOrder(told, nth(2)), { ...nth(2), takenAfter: 11 }];
    expect(found({ receptions: again })).toEqual([]);
  });

  it.each<[string, Partial<Notified>, readonly string[]]>([
    ['the end of a payment', without(2), ['pay_1: 0 of 1 notifications payment.captured']],
    [
      'that a captured payment was authorized',
      without(1),
      ['pay_1: 0 of 1 notifications payment.authorized'],
    ],
    ['the end of a refund', without(4), ['re_1: 0 of 1 notifications refund.completed']],
    ['a payment of a subscription', without(7), ['sub_1: 1 of 2 notifications subscription.cycle_billed']],
    [
      'that a subscription bills',
      without(5),
      ['sub_1: told last is nothing, due is subscription.activated or subscription.reactivated'],
    ],
    ['what became of an item', without(9), ['item po_1/anna: 0 of 1 notifications payout_item.succeeded']],
    ['the end of a payout', without(10), ['po_1: 0 of 1 notifications payout.completed']],
  ])('calls %s lost when it was never written', (_what, change, what) => {
    expect(found(change)).toEqual(what.map((each) => `notificationLost: ${each}`));
  });

  it('calls one lost that the engine has as delivered and nobody has taken', () => {
    expect(found({ receptions: inOrder(told, nth(10)) })).toEqual([
      'notificationLost: evt_10, payout.completed of po_1 (delivered), was taken by no receiver',
      'notificationLost: po_1: 0 of 1 notifications payout.completed',
    ]);
  });

  it('calls a subscription lost that is suspended and was told last as active', () => {
    const [subscription] = sound.shown.subscriptions;
    if (!subscription) throw new RangeError('no subscription');
    const subscriptions = [{ ...subscription, state: 'suspended' }];
    expect(found({ shown: { ...sound.shown, subscriptions } })).toEqual([
      'notificationLost: sub_1: told last is subscription.activated, due is subscription.suspended',
    ]);
  });

  it('calls a swapped pair out of order', () => {
    const swapped = inOrder(told.with(0, nth(2)).with(1, nth(1)));
    expect(found({ receptions: swapped })).toEqual([
      'notificationOutOfOrder: pay_1: evt_1, payment.authorized, came when evt_2, payment.captured, was received before it',
    ]);
  });

  it('calls one out of order that does not wait until the one before is taken', () => {
    const again = [...inOrder(told, nth(1)), { ...nth(1), takenAfter: 11 }];
    expect(found({ receptions: again })).toEqual([
      'notificationOutOfOrder: pay_1: evt_2, payment.captured, came when evt_1, payment.authorized, was not taken yet',
    ]);
  });

  it('lets the items of a payout overtake each other and their payout', () => {
    const [first, second] = [nth(8), nth(9)];
    expect(found({ receptions: inOrder(told.with(7, second).with(8, first)) })).toEqual([]);
  });

  it.each<[string, Partial<Notified>, string]>([
    ['an end that the API never shows', withData(2, payment('voided', '0.00')), 'told as voided'],
    ['a notification without a row', { listed: sound.listed.slice(1) }, 'the engine has no row of it'],
    ['a capture that is booked later', late(1), '10.00 told, 0 booked so far'],
    ['more than was captured', withData(2, payment('captured', '10.01')), '10.01 told, 1000 booked so far'],
    ['a refund that is booked later', late(2), 'no refund was booked yet'],
    ['a payment of a subscription that is booked later', late(4), 'payment 2 was not booked yet'],
    ['an item that is booked later', late(5), 'no payout was booked yet'],
  ])('calls %s told before the fact', (_what, change, what) => {
    expect(found(change)).toEqual([expect.stringMatching(new RegExp(`^notificationEarly: .*${what}`))]);
  });

  it('calls a hold told before the fact in each notification that shows it', () => {
    expect(found(late(0))).toEqual([
      'notificationEarly: evt_1, payment.authorized of pay_1: no hold was booked yet',
      'notificationEarly: evt_2, payment.captured of pay_1: no hold was booked yet',
    ]);
  });

  it('calls a payment of a subscription that nobody collected told before the fact', () => {
    const one = { ...nth(7), id: 'evt_11', sequence: 11 };
    const [listed] = sound.listed;
    if (!listed) throw new RangeError('nothing is listed');
    const change = {
      receptions: inOrder([...told, one]),
      listed: [...sound.listed, { ...listed, id: one.id }],
    };
    expect(found(change)).toEqual([
      'notificationEarly: evt_11, subscription.cycle_billed of sub_1: payment 3 was not booked yet',
    ]);
  });

  it('calls an end that was told under two ids doubled', () => {
    const twice = { ...nth(10), id: 'evt_11', sequence: 11 };
    const [listed] = sound.listed;
    if (!listed) throw new RangeError('nothing is listed');
    const change = {
      receptions: inOrder([...told, twice]),
      listed: [...sound.listed, { ...listed, id: twice.id }],
    };
    expect(found(change)).toEqual(['doubled: payout.completed of po_1 was told as evt_10 and evt_11']);
  });
});
