import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { forAllTests } from '../../helpers/shared.js';
import { eventually, SandboxFixture } from '../sandbox-fixture.js';
import { FAST, itemFor, Payouts } from './payout-helpers.js';

const LONG_DAY = { dayLengthMs: 60_000 };

describe('payout items', () => {
  let payouts: Payouts;
  const sandbox = forAllTests(() => SandboxFixture.start());
  beforeAll(() => {
    payouts = new Payouts(sandbox);
  });
  beforeEach(async () => {
    await sandbox.configure({ ...FAST, ...LONG_DAY });
    await sandbox.request('DELETE', '/admin/faults');
  });

  const itemOf = async (receiver: string): Promise<string> =>
    (await payouts.finished([itemFor(receiver)])).items[0].payout_item_id;

  it.each([
    ['success', 'SUCCESS', undefined, ['payout 1000'], ['SUCCEEDED']],
    ['failed', 'FAILED', 'RISK_DECLINE', ['payout 1000', 'payout_return 1000'], ['FAILED']],
    ['unclaimed', 'UNCLAIMED', 'RECEIVER_UNREGISTERED', ['payout 1000'], ['UNCLAIMED']],
    ['onhold', 'ONHOLD', 'REGULATORY_PENDING', ['payout 1000'], ['HELD']],
    ['blocked', 'BLOCKED', 'REGULATORY_BLOCKED', ['payout 1000', 'payout_return 1000'], ['BLOCKED']],
  ])('to anyone+%s@… become %s', async (tag, status, error, books, events) => {
    const itemId = await itemOf(`anyone+${tag}@example.com`);
    const item = await payouts.item(itemId);
    expect(item.transaction_status).toBe(status);
    expect(item.errors?.name).toBe(error);
    expect(await payouts.booksOf(itemId)).toEqual(books);
    expect(await payouts.eventsOf(itemId)).toEqual(events.map((name) => `PAYMENT.PAYOUTS-ITEM.${name}`));
    expect(await sandbox.violations()).toEqual([]);
  });

  it('have the outcome that a rule gives their receiver, whatever the address looks like', async () => {
    await sandbox.configure({
      ...FAST,
      ...LONG_DAY,
      payoutRules: [
        { receiver: 'Held@example.com', outcome: 'onhold' },
        { receiver: 'known+failed@example.com', outcome: 'success' },
      ],
      payoutUnknownReceivers: 'unclaimed',
    });
    const receivers = ['held@EXAMPLE.com', 'known+failed@example.com', 'nobody@example.com'];
    const { items } = await payouts.finished(receivers.map((receiver) => itemFor(receiver)));
    const statuses = items.map((item: { transaction_status: string }) => item.transaction_status);
    expect(statuses).toEqual(['ONHOLD', 'SUCCESS', 'UNCLAIMED']);
  });

  it('that are pending end later, either way', async () => {
    await sandbox.configure({
      ...FAST,
      payoutRules: [{ receiver: 'bad@example.com', outcome: 'pending_then_failed' }],
    });
    const good = await itemOf('anyone+pending@example.com');
    const bad = await itemOf('bad@example.com');
    await payouts.itemReaches(good, 'SUCCESS');
    await payouts.itemReaches(bad, 'FAILED');
    expect(await payouts.booksOf(good)).toEqual(['payout 1000']);
    expect(await payouts.booksOf(bad)).toEqual(['payout 1000', 'payout_return 1000']);
    expect(await payouts.eventsOf(bad)).toEqual(['PAYMENT.PAYOUTS-ITEM.DENIED']);
    expect(await sandbox.violations()).toEqual([]);
  });

  it('fail, or stay pending, when a fault affects the nth of them', async () => {
    await sandbox.switchOnFault({ kind: 'decline', operation: 'payout-item.pay', nth: 2, times: 1 });
    const receivers = ['1', '2', '3'].map((name) => itemFor(`${name}@example.com`));
    const { items } = await payouts.finished(receivers);
    expect(items).toMatchObject([
      { transaction_status: 'SUCCESS' },
      { transaction_status: 'FAILED' },
      { transaction_status: 'SUCCESS' },
    ]);
    await sandbox.request('DELETE', '/admin/faults');
    await sandbox.switchOnFault({
      kind: 'pending',
      operation: 'payout-item.pay',
      settlesAs: 'denied',
      afterMs: 60_000,
    });
    const pending = await itemOf('4@example.com');
    expect((await payouts.item(pending)).transaction_status).toBe('PENDING');
    expect(await sandbox.violations()).toEqual([]);
  });

  it('that are unclaimed can be cancelled once, and the money is returned once', async () => {
    const itemId = await itemOf('anyone+unclaimed@example.com');
    const unclaimed = await payouts.item(itemId);
    expect(unclaimed.links.map(({ rel }: { rel: string }) => rel)).toEqual(['self', 'batch', 'cancel']);
    const answers = await Promise.all(Array.from({ length: 6 }, () => payouts.cancel(itemId)));
    const [cancelled, ...more] = answers.filter(({ status }) => status === 200);
    expect(more).toEqual([]);
    expect(cancelled?.body).toMatchObject({
      payout_item_id: itemId,
      transaction_status: 'RETURNED',
      errors: { name: 'RECEIVER_UNREGISTERED' },
    });
    const refused = answers.filter(({ status }) => status === 400);
    expect(refused.map(({ body }) => body.name)).toEqual(Array(5).fill('ITEM_ALREADY_CANCELLED'));
    expect(await payouts.booksOf(itemId)).toEqual(['payout 1000', 'payout_return 1000']);
    expect(await payouts.eventsOf(itemId)).toEqual(
      expect.arrayContaining(['PAYMENT.PAYOUTS-ITEM.UNCLAIMED', 'PAYMENT.PAYOUTS-ITEM.CANCELED']),
    );
    expect(await sandbox.violations()).toEqual([]);
  });

  it('that are not unclaimed cannot be cancelled', async () => {
    const itemId = await itemOf('paid@example.com');
    expect(await payouts.cancel(itemId)).toMatchObject({
      status: 400,
      body: { name: 'ITEM_INCORRECT_STATUS' },
    });
    expect((await payouts.cancel('NOSUCHITEM')).body.name).toBe('INVALID_RESOURCE_ID');
  });

  it('that nobody claims are returned after 30 days', async () => {
    await sandbox.configure({ ...FAST, dayLengthMs: 20 });
    const itemId = await itemOf('anyone+unclaimed@example.com');
    await payouts.itemReaches(itemId, 'RETURNED');
    expect(await payouts.booksOf(itemId)).toEqual(['payout 1000', 'payout_return 1000']);
    await eventually(() => payouts.eventsOf(itemId)).toContain('PAYMENT.PAYOUTS-ITEM.RETURNED');
    expect((await payouts.cancel(itemId)).body.name).toBe('ITEM_INCORRECT_STATUS');
    expect(await sandbox.violations()).toEqual([]);
  });

  it.each([
    ['claim', 'unclaimed', 'SUCCESS', ['payout 1000'], 'SUCCEEDED'],
    ['return', 'unclaimed', 'RETURNED', ['payout 1000', 'payout_return 1000'], 'RETURNED'],
    ['block', 'unclaimed', 'BLOCKED', ['payout 1000', 'payout_return 1000'], 'BLOCKED'],
    ['release', 'onhold', 'SUCCESS', ['payout 1000'], 'SUCCEEDED'],
    ['deny', 'onhold', 'FAILED', ['payout 1000', 'payout_return 1000'], 'DENIED'],
    ['refund', 'success', 'REFUNDED', ['payout 1000', 'payout_return 1000'], 'REFUNDED'],
  ])('%s: %s → %s', async (action, tag, status, books, event) => {
    const itemId = await itemOf(`anyone+${tag}@example.com`);
    const acted = await payouts.act(itemId, action);
    expect(acted).toMatchObject({ status: 200, body: { transaction_status: status } });
    expect(await payouts.act(itemId, action)).toMatchObject({ status: 409 });
    expect(await payouts.booksOf(itemId)).toEqual(books);
    expect(await payouts.eventsOf(itemId)).toContain(`PAYMENT.PAYOUTS-ITEM.${event}`);
    expect(await sandbox.violations()).toEqual([]);
  });

  it('that are reversed return their money without an event, as in the public API', async () => {
    const itemId = await itemOf('paid@example.com');
    expect((await payouts.act(itemId, 'reverse')).body.transaction_status).toBe('REVERSED');
    expect(await payouts.booksOf(itemId)).toEqual(['payout 1000', 'payout_return 1000']);
    expect(await payouts.eventsOf(itemId)).toEqual(['PAYMENT.PAYOUTS-ITEM.SUCCEEDED']);
    expect(await sandbox.violations()).toEqual([]);
  });

  it('to the sender itself fail without moving money', async () => {
    await sandbox.configure({ ...FAST, accountId: 'OWNACCOUNT' });
    const batch = await payouts.finished([itemFor('OWNACCOUNT', { recipient_type: 'PAYPAL_ID' })]);
    expect(batch.items[0]).toMatchObject({
      transaction_status: 'FAILED',
      errors: { name: 'SELF_PAY_NOT_ALLOWED' },
    });
    expect(await payouts.booksOf(batch.items[0].payout_item_id)).toEqual([]);
    expect(await sandbox.violations()).toEqual([]);
  });
});
