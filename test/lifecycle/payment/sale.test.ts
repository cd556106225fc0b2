import { describe, expect, it } from 'vitest';
import {
  amountsOf,
  differencesOf,
  contradictedAmount,
  isAlreadyKnown,
  type PaymentState,
  type ProviderFacts,
  type Sale,
  type PaymentEvent,
  possibleDecisions,
  reviewSubject,
  transition,
  allowedActions,
} from '#workflows/lifecycle/payment';
import { nextDeadline } from '#workflows/lifecycle/payment/deadlines.js';
import { after, now, patience, payment, sale } from './sample-payments.js';

const shows = (shown: Partial<Sale>): ProviderFacts => ({
  paymentState: 'approved',
  captures: [],
  sale: { ...sale, ...shown },
});
const observed = (facts: ProviderFacts): PaymentEvent => ({ type: 'providerObserved', facts });
const answered = (reported: Partial<Sale>): PaymentEvent => ({
  type: 'saleAnswered',
  providerPaymentId: 'PAY-1',
  sale: { ...sale, ...reported },
});
const unexecuted: ProviderFacts = { paymentState: 'created', captures: [] };
const ordered = (): PaymentState => payment('awaiting_approval', { intent: 'sale' });
const denied = (): PaymentState => after(payment('executing'), [answered({ status: 'denied' })]);
const reviewed = (status: Sale['status']) =>
  after(payment('executing'), [answered({ minor: 120_00, status })]);
const kept: PaymentEvent = {
  type: 'reviewDecided',
  commandId: 'cmd_9',
  decision: 'keep',
  reason: 'agreed with the payer',
};
const event = (state: string, id = 'SALE-1') => ({ kind: 'sale', id, state }) as const;

describe('an executed sale', () => {
  it.each([
    ['completed', 'completed', undefined],
    ['pending', 'pending', undefined],
    ['denied', 'declined', 'The provider denied the sale.'],
  ] as const)('that is answered as %s is %s', (status, expected, reason) => {
    const state = after(payment('executing'), [answered({ status })]);
    expect(state).toMatchObject({ status: expected, sale: { saleId: 'SALE-1', status } });
    expect(state.reason).toBe(reason);
    expect(state.openStep).toBeUndefined();
  });

  it('counts as collected only once it is completed', () => {
    expect(amountsOf(payment('pending'))).toMatchObject({ authorized: 0, captured: 0, pending: 100_00 });
    expect(amountsOf(payment('completed'))).toMatchObject({ captured: 100_00, pending: 0, capturable: 0 });
    expect(amountsOf(denied())).toMatchObject({ captured: 0, pending: 0 });
  });

  it.each(['executing', 'pending', 'completed'] as const)('allows nothing while it is %s', (status) => {
    expect(allowedActions(payment(status), now)).toEqual([]);
  });
});

describe('case 16: a pending sale', () => {
  it.each([
    ['completed', 'completed'],
    ['denied', 'declined'],
  ] as const)('that is shown as %s days later is %s', (status, expected) => {
    expect(after(payment('pending'), [observed(shows({ status }))]).status).toBe(expected);
  });

  it('is polled at growing intervals, for as long as it takes', () => {
    const waits: number[] = [];
    let state = payment('pending');
    for (let polls = 0; polls < 12; polls += 1) {
      const due = nextDeadline(state);
      expect(due?.event.type).toBe('pollCameDue');
      const at = due?.at ?? 0;
      waits.push(at - state.lastPollAt);
      state = after(state, [{ type: 'pollCameDue' }, at]);
    }
    expect(waits[0]).toBe(patience.firstPollMs);
    expect(waits.at(-1)).toBe(patience.longestPollMs);
    expect(waits).toEqual(waits.toSorted((one, other) => one - other));
  });

  it('is not changed by a lagging read', () => {
    expect(transition(payment('pending'), observed(unexecuted), now).kind).toBe('stale');
    expect(transition(payment('pending'), observed(shows({ status: 'pending' })), now).kind).toBe('stale');
  });

  it.each([
    ['of another amount', { minor: 99_00, status: 'completed' }, 'another amount'],
    ['under another id', { saleId: 'SALE-2', status: 'completed' }, 'SALE-2 instead of SALE-1'],
  ] as const)('that is shown %s is a conflict, and is not followed', (_what, shown, reason) => {
    const result = transition(payment('pending'), observed(shows(shown)), now);
    expect(result).toMatchObject({ kind: 'conflict', state: { status: 'pending' } });
    expect(result).toMatchObject({ reason: expect.stringContaining(reason) });
  });
});

describe('a payer who did not come back', () => {
  it('and approved is found by a read, and the sale executed', () => {
    const state = after(ordered(), [observed({ ...unexecuted, payerId: 'PAYER-1' })]);
    expect(state).toMatchObject({ status: 'executing', openStep: { step: { type: 'executePayment' } } });
  });

  it('and never approved lets it expire', () => {
    expect(after(ordered(), [{ type: 'approvalTimedOut' }], [observed(unexecuted)]).status).toBe('expired');
  });

  it('whose sale was executed without our knowledge is shown with the sale’s status', () => {
    expect(after(ordered(), [observed(shows({ status: 'pending' }))]).status).toBe('pending');
    expect(after(ordered(), [{ type: 'approvalTimedOut' }], [observed(shows({}))])).toMatchObject({
      status: 'completed',
      lapsed: false,
    });
  });
});

describe('case 11: a sale that has ended', () => {
  it.each([
    ['completed', shows({}), 'stale'],
    ['completed', shows({ status: 'pending' }), 'stale'],
    ['completed', unexecuted, 'stale'],
    ['completed', shows({ status: 'denied' }), 'conflict'],
    ['completed', shows({ minor: 1 }), 'conflict'],
    ['completed', shows({ saleId: 'SALE-2' }), 'conflict'],
    ['declined', shows({ status: 'denied' }), 'stale'],
    ['declined', shows({}), 'conflict'],
    ['cancelled', shows({ status: 'pending' }), 'conflict'],
    ['expired', shows({}), 'conflict'],
  ] as const)('%s stays so, whatever is shown: %j is %s', (status, facts, kind) => {
    const ended = payment(status, { intent: 'sale' });
    expect(transition(ended, observed(facts), now)).toMatchObject({ kind, state: { status } });
  });

  it('and whose money was taken all the same says how much', () => {
    expect(transition(payment('cancelled', { intent: 'sale' }), observed(shows({})), now)).toMatchObject({
      reason: 'The provider shows a completed sale of 100.00 USD, the payment ended cancelled.',
    });
  });

  it('denied does not become completed', () => {
    expect(transition(denied(), observed(shows({})), now)).toMatchObject({
      kind: 'conflict',
      reason: 'Sale SALE-1 was denied and is now shown as completed.',
    });
  });
});

describe('a sale of another amount than was ordered', () => {
  it('goes to review, where it can only be kept', () => {
    expect(reviewed('completed')).toMatchObject({
      status: 'needs_review',
      reason: 'The provider took another amount than was ordered.',
    });
    expect(reviewSubject(reviewed('completed'))).toBe('sale_amount');
    expect(possibleDecisions(reviewed('completed'))).toEqual(['keep']);
    expect(transition(reviewed('completed'), { ...kept, decision: 'void' }, now).kind).toBe('refused');
  });

  it.each(['completed', 'pending'] as const)('continues as %s once it is kept', (status) => {
    expect(after(reviewed(status), [kept])).toMatchObject({ status, sale: { minor: 120_00 } });
  });

  it('ends without a review when the provider denies it', () => {
    expect(after(payment('executing'), [answered({ minor: 1, status: 'denied' })]).status).toBe('declined');
    const denial = observed(shows({ minor: 120_00, status: 'denied' }));
    expect(after(reviewed('pending'), [denial]).status).toBe('declined');
  });

  it('stays under review when it is completed meanwhile, and is completed afterwards', () => {
    const completed = after(reviewed('pending'), [observed(shows({ minor: 120_00 }))]);
    expect(completed).toMatchObject({ status: 'needs_review', sale: { status: 'completed' } });
    expect(after(completed, [kept]).status).toBe('completed');
  });
});

describe('a webhook about a sale', () => {
  it.each([
    ['completed', event('completed'), true],
    ['completed', event('pending'), true],
    ['completed', event('denied'), false],
    ['completed', event('completed', 'SALE-2'), false],
    ['pending', event('pending'), true],
    ['pending', event('completed'), false],
    ['pending', event('denied'), false],
    ['executing', event('completed'), false],
    ['awaiting_approval', event('completed'), false],
  ] as const)('of a payment that is %s: %j tells nothing new: %s', (status, resource, isKnown) => {
    expect(isAlreadyKnown(payment(status), resource)).toBe(isKnown);
  });

  it('is news when it tells another amount of the same sale', () => {
    const reported = { ...event('completed'), amount: { minor: 1, currency: 'USD' } };
    expect(isAlreadyKnown(payment('completed'), reported)).toBe(false);
    expect(contradictedAmount(payment('completed'), reported)).toContain('0.01 USD of sale SALE-1');
    const right = { ...event('completed'), amount: { minor: 100_00, currency: 'USD' } };
    expect(contradictedAmount(payment('completed'), right)).toBeUndefined();
  });
});

describe('what a comparison with the provider finds of a sale', () => {
  it.each([
    ['awaiting_approval', unexecuted],
    ['pending', shows({ status: 'pending' })],
    ['completed', shows({})],
    ['declined', shows({ status: 'denied' })],
    ['cancelled', unexecuted],
  ] as const)('is nothing when a payment that is %s is shown as it is', (status, facts) => {
    expect(differencesOf(payment(status, { intent: 'sale' }), facts)).toEqual([]);
  });

  it('is nothing of a denied one', () => {
    expect(differencesOf(denied(), shows({ status: 'denied' }))).toEqual([]);
  });

  it.each([
    ['taken, and we do not know of it', payment('expired', { intent: 'sale' }), shows({})],
    ['taken, and we call it denied', denied(), shows({})],
    ['denied, and we call it completed', payment('completed'), shows({ status: 'denied' })],
    ['settled, and we wait for that', payment('pending'), shows({})],
    ['of another amount', payment('completed'), shows({ minor: 1 })],
    ['another one', payment('completed'), shows({ saleId: 'SALE-2' })],
  ])('is that it is %s', (_what, state, facts) => {
    expect(differencesOf(state, facts)).toMatchObject([{ field: 'sale' }]);
  });
});
