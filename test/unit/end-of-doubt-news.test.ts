import { describe, expect, it } from 'vitest';
import { payoutNews } from '#database/notifications/payout-news.js';
import { subscriptionNews } from '#database/notifications/subscription-news.js';
import { advance } from '#workflows/lifecycle/progress.js';
import { type PayoutEvent, payoutLifecycle, type PayoutState } from '#workflows/lifecycle/payout';
import { cancellation, creation, inDoubt, now, payout } from '../lifecycle/payout/sample-payouts.js';
import { subscription } from '../lifecycle/subscription/sample-subscriptions.js';

const line = (from: string, to: string, event: string) =>
  [{ version: 9, event, kind: 'moved', from, to, at: 0 }] as const;
const typesOf = (news: readonly { readonly type: string }[]) => news.map(({ type }) => type);

/** Those that are written although the receivers know the subscription as active. */
const written = (news: ReturnType<typeof subscriptionNews>) =>
  typesOf(news.filter(({ after, fact }) => fact !== 'activated' && !after));

describe('a change of a subscription', () => {
  it.each([
    ['suspending', 'suspend', 'subscription.suspension_failed'],
    ['reactivating', 'reactivate', 'subscription.reactivation_failed'],
    ['cancelling', 'cancel', 'subscription.cancellation_failed'],
    ['billing_balance', 'billBalance', 'subscription.balance_billing_failed'],
    ['setting_balance', 'setBalance', 'subscription.balance_setting_failed'],
  ] as const)('(%s) that was not made is told, also when an operator decides so', (from, kind, type) => {
    const after = subscription('active');
    expect(written(subscriptionNews(after, line(from, 'active', 'stepDeclined')))).toEqual([type]);
    const commands = [
      { kind: 'decide', status: 'succeeded' },
      { kind, status: 'failed' },
    ] as const;
    const decided = line('needs_review', 'active', 'stepDecidedUndone');
    expect(written(subscriptionNews(after, decided, commands))).toEqual([type]);
  });

  it.each([
    ['balanceBilled', 'billing_balance', 'subscription.balance_billed'],
    ['balanceSet', 'setting_balance', 'subscription.balance_set'],
  ])('that no state shows is told when it was made: %s', (event, during, type) => {
    for (const from of [during, 'needs_review'])
      expect(written(subscriptionNews(subscription('active'), line(from, 'active', event)))).toEqual([type]);
  });

  it('is not told as failed while it is repeated', () => {
    const repeated = line('suspending', 'suspending', 'stepProvedUndone');
    expect(written(subscriptionNews(subscription('suspending'), repeated))).toEqual([]);
  });
});

const told = (state: PayoutState, version: number, event: PayoutEvent, at: number) => {
  const { position, entry } = advance(payoutLifecycle, { state, version }, event, at);
  return { ...position, types: typesOf(payoutNews(position.state, entry ? [entry] : [])) };
};
const unknown = (at: number) => ({ type: 'outcomeUnknown', horizonAt: at + 60_000 }) as const;

describe('the cancellation of a payout’s item', () => {
  const doubted = payout('settling', { openStep: inDoubt(cancellation) });

  it('that was not made is told, and not while it is repeated', () => {
    expect(told(doubted, 1, { type: 'stepDeclined', reason: 'It is over.' }, now).types).toEqual([
      'payout.item_cancellation_failed',
    ]);
    expect(told(doubted, 1, { type: 'stepDeferred', retryAt: now + 1 }, now).types).toEqual([]);
  });
});

describe('the creation of a payout', () => {
  it('is told as in doubt once, however often it is asked for again', () => {
    const { looks: _none, ...step } = inDoubt(creation);
    const sent = payout('creating', { openStep: { ...step, phase: 'running', looks: 0 } });
    const first = told(sent, 1, unknown(now), now);
    expect(first.types).toEqual(['payout.in_doubt']);
    const again = told(first.state, first.version, { type: 'stepCameDue' }, now + 60_000);
    expect(again.state.openStep).toMatchObject({ phase: 'running', attempts: 1 });
    expect(told(again.state, again.version, unknown(now + 60_000), now + 60_000).types).toEqual([]);
  });
});
