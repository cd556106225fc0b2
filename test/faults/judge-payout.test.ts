import { describe, expect, it } from 'vitest';
import { judgeScenarios } from '#proof/faults/campaign/judge-scenarios.js';
import { judgePayout } from '#proof/faults/payout/judge.js';
import type { PaidOut } from '#proof/faults/payout/payout-view.js';
import type { PayoutPlan } from '#proof/faults/payout/plan.js';
import type { Command } from '#proof/faults/order-service.js';
import { command, movement, usd } from './commands-and-movements.js';

const plan: PayoutPlan = {
  orderId: 'order-1',
  application: 'shop',
  currency: 'USD',
  exponent: 2,
  hasTwins: false,
  repeatsWhatIsDone: false,
  items: [
    { itemId: 'one', receiver: 'success', minor: 750, isTakenBack: false },
    { itemId: 'two', receiver: 'unclaimed', minor: 250, isTakenBack: true },
  ],
};

const paid = (itemId: string, minor: number) =>
  movement('payout', minor, { invoiceNumber: 'po_1', custom: itemId, paymentId: null });
const returned = (itemId: string, minor: number) =>
  movement('payout_return', minor, { invoiceNumber: 'po_1', custom: itemId, paymentId: null });
const booked = [paid('one', 750), paid('two', 250), returned('two', 250)];

function reported(one: string, two: string, state = 'completed'): PaidOut {
  const items = [
    { itemId: 'one', amount: usd('7.50'), state: one },
    { itemId: 'two', amount: usd('2.50'), state: two },
  ];
  const totals = Object.fromEntries(items.map(({ state: ofItem, amount }) => [ofItem, { count: 1, amount }]));
  return { payout: { id: 'po_1', state, version: 5, reason: 'why', totals }, items };
}

const cancelled = command('cancel item', {
  path: '/v1/payouts/po_1/items/two/cancel',
  answer: { id: 'cmd_1' },
});
const judged = (final: PaidOut, movements: typeof booked, of = plan) => {
  const commands = [command('create', { answer: { id: 'po_1' } }), cancelled];
  return judgePayout(of, { commands, repeats: [], final }, movements);
};
const kinds = (...of: Parameters<typeof judged>) => judged(...of).discrepancies.map(({ kind }) => kind);

describe('the judge of payouts', () => {
  it('accepts items that were paid once, and one that was returned', () => {
    expect(judged(reported('success', 'returned'), booked)).toEqual({ discrepancies: [], requests: 2 });
  });

  it('calls an item that was paid twice doubled', () => {
    expect(kinds(reported('success', 'returned'), [...booked, paid('one', 750)])).toContain('doubled');
  });

  it('calls an item lost when it is shown as paid and was not', () => {
    expect(kinds(reported('success', 'returned'), booked.slice(1))).toEqual(['lost']);
  });

  it('calls an item lost when it is shown as failed and was paid', () => {
    expect(kinds(reported('failed', 'returned'), booked)).toEqual(['lost']);
  });

  it('calls an item lost when its cancellation was accepted and it was not returned', () => {
    expect(kinds(reported('success', 'returned'), booked.slice(0, 2))).toContain('lost');
  });

  it('names an item of another amount, and payments that nobody ordered', () => {
    expect(kinds(reported('success', 'returned'), [paid('one', 749), ...booked.slice(1)])).toEqual(['lost']);
    expect(kinds(reported('success', 'returned'), [...booked, paid('three', 100)])).toEqual(['doubled']);
  });

  it('calls totals that differ from the items lost', () => {
    const final = reported('success', 'returned');
    final.payout.totals['success'] = { count: 2, amount: usd('7.50') };
    expect(kinds(final, booked)).toEqual(['lost']);
  });

  it('calls a batch that has an item twice and was not refused doubled', () => {
    const asked = [command('create', { answer: { id: 'po_1' } }), cancelled];
    const kindsWith = (twins: Command) =>
      judgePayout(
        plan,
        { commands: [twins, ...asked], repeats: [], final: reported('success', 'returned') },
        booked,
      ).discrepancies.map(({ kind }) => kind);
    expect(kindsWith(command('create twins', { outcome: 'refused' }))).toEqual([]);
    expect(kindsWith(command('create twins', { answer: { id: 'po_2' } }))).toEqual(['doubled']);
  });

  it('calls an item lost when it is on no page, or on two', () => {
    const { payout, items } = reported('success', 'returned');
    expect(kinds({ payout, items: items.slice(1) }, booked)).toContain('lost');
    expect(kinds({ payout, items: [...items, ...items.slice(1)] }, booked)).toContain('lost');
  });

  it('calls a batch that did not end stuck', () => {
    expect(kinds(reported('queued', 'queued', 'processing'), [])).toContain('stuck');
  });

  it('calls a second batch for one order doubled, because its id is unknown to all', () => {
    const scenario = {
      title: 'a batch',
      application: 'shop',
      play: () => Promise.resolve(),
      takeStock: () => Promise.resolve(),
      references: () => ['po_1'],
      judge: (movements: readonly (typeof booked)[number][]) =>
        judged(reported('success', 'returned'), [...movements]),
    };
    const twin = { ...paid('one', 750), invoiceNumber: 'po_1-again' };
    const { discrepancies } = judgeScenarios([{ scenario }], [...booked, twin], []);
    expect(discrepancies.map(({ kind }) => kind)).toEqual(['doubled']);
  });
});
