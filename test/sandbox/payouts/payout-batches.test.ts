import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { forAllTests } from '../../helpers/shared.js';
import { SandboxFixture } from '../sandbox-fixture.js';
import { batchOf, FAST, itemFor, PATH, Payouts } from './payout-helpers.js';

describe('a payout batch', () => {
  let payouts: Payouts;
  const sandbox = forAllTests(() => SandboxFixture.start());
  beforeAll(() => {
    payouts = new Payouts(sandbox);
  });
  afterEach(async () => {
    await sandbox.request('DELETE', '/admin/faults');
    expect(await sandbox.violations()).toEqual([]);
  });

  const expectDenied = async (batch: Awaited<ReturnType<Payouts['get']>>, error: string, books: string[]) => {
    expect(batch.batch_header.batch_status).toBe('DENIED');
    const batchEvents = await payouts.eventsOf(batch.batch_header.payout_batch_id);
    expect(batchEvents.toSorted()).toEqual([
      'PAYMENT.PAYOUTSBATCH.DENIED',
      'PAYMENT.PAYOUTSBATCH.PROCESSING',
    ]);
    for (const item of batch.items) {
      expect(item).toMatchObject({ transaction_status: 'FAILED', errors: { name: error } });
      expect(await payouts.booksOf(item.payout_item_id)).toEqual(books);
      expect(await payouts.eventsOf(item.payout_item_id)).toEqual(['PAYMENT.PAYOUTS-ITEM.DENIED']);
    }
  };

  it('that is denied gives the money back', async () => {
    await sandbox.configure({ ...FAST, payoutOutcome: 'denied' });
    const batch = await payouts.finished([itemFor('a@example.com'), itemFor('b@example.com')]);
    await expectDenied(batch, 'RISK_DECLINE', ['payout 1000', 'payout_return 1000']);
  });

  it('that the balance does not cover is denied, and nothing moves', async () => {
    await sandbox.configure({ ...FAST, payoutOutcome: 'unfunded' });
    await expectDenied(await payouts.finished([itemFor('a@example.com')]), 'INSUFFICIENT_FUNDS', []);
  });

  it('is denied when a fault declines its creation, and no other is', async () => {
    await sandbox.configure(FAST);
    await sandbox.switchOnFault({ kind: 'decline', operation: 'payout.create' });
    await expectDenied(await payouts.finished([itemFor('a@example.com')]), 'INSUFFICIENT_FUNDS', []);
    const next = await payouts.finished([itemFor('a@example.com')]);
    expect(next.batch_header.batch_status).toBe('SUCCESS');
  });

  it('is denied in synchronous mode too', async () => {
    await sandbox.configure({ payoutOutcome: 'unfunded' });
    const { body } = await sandbox.call(
      'POST',
      `${PATH}?sync_mode=true`,
      batchOf([itemFor('a@example.com')]),
    );
    await expectDenied(body, 'INSUFFICIENT_FUNDS', []);
  });

  it('exists once when its answer was lost, and the repeat leads to it', async () => {
    await sandbox.configure(FAST);
    await sandbox.switchOnFault({ kind: 'drop_reply', operation: 'payout.create' });
    const header = { sender_batch_id: 'lost' };
    await expect(payouts.create([itemFor('lost@example.com')], header)).rejects.toThrow();
    const repeat = await payouts.create([itemFor('lost@example.com')], header);
    expect(repeat.body.name).toBe('USER_BUSINESS_ERROR');
    const found = await sandbox.call('GET', repeat.body.links[0].href.slice(sandbox.url.length));
    await payouts.reaches(found.body.batch_header.payout_batch_id, ['SUCCESS']);
    expect(await payouts.booksOf(found.body.items[0].payout_item_id)).toEqual(['payout 1000']);
  });

  it('can be cancelled before its money leaves, and not after', async () => {
    await sandbox.configure({ payoutPendingMs: 60_000 });
    const { body } = await payouts.create([itemFor('a@example.com')]);
    const id: string = body.batch_header.payout_batch_id;
    const cancel = () => sandbox.request('POST', `/admin/payouts/${id}/cancel`);
    expect(await cancel()).toMatchObject({ status: 200, body: { batch_status: 'CANCELED' } });
    expect((await cancel()).status).toBe(409);
    const [item] = (await payouts.get(id)).items;
    expect(item.transaction_status).toBe('RETURNED');
    expect(await payouts.booksOf(item.payout_item_id)).toEqual([]);
    expect(await payouts.eventsOf(item.payout_item_id)).toEqual(['PAYMENT.PAYOUTS-ITEM.CANCELED']);
    expect((await payouts.cancel(item.payout_item_id)).body.name).toBe('ITEM_ALREADY_CANCELLED');
  });

  it('shows its items as pending while it waits', async () => {
    await sandbox.configure({ payoutPendingMs: 60_000 });
    const { body } = await payouts.create([itemFor('a@example.com')]);
    const batch = await payouts.get(body.batch_header.payout_batch_id);
    expect(batch.batch_header).not.toHaveProperty('time_completed');
    expect(batch.items[0]).toMatchObject({ transaction_status: 'PENDING' });
    expect(batch.items[0]).not.toHaveProperty('transaction_id');
    expect(await payouts.cancel(batch.items[0].payout_item_id)).toMatchObject({ status: 400 });
    expect((await payouts.act(batch.items[0].payout_item_id, 'complete')).status).toBe(409);
  });

  it.each([
    [
      'paid twice',
      "INSERT INTO book_entries (kind, client_id, payout_item_id, amount_minor, currency, created_at) SELECT kind, client_id, payout_item_id, amount_minor, currency, created_at FROM book_entries WHERE kind = 'payout' LIMIT 1",
    ],
    [
      'given back twice',
      "INSERT INTO book_entries (kind, client_id, payout_item_id, amount_minor, currency, created_at) SELECT kind, client_id, payout_item_id, amount_minor, currency, created_at FROM book_entries WHERE kind = 'payout_return' LIMIT 1",
    ],
  ])('cannot be %s, whatever the code does', async (_, statement) => {
    await expect(sandbox.sql(statement)).rejects.toThrow('one_movement_of_a_kind_per_payout_item');
  });

  it('is reported by the check of the books when its money does not agree with its state', async () => {
    await sandbox.configure(FAST);
    const batch = await payouts.finished([itemFor('a@example.com')]);
    const id: string = batch.items[0].payout_item_id;
    await sandbox.sql(`UPDATE payout_items SET status = 'RETURNED' WHERE id = '${id}'`);
    expect(await sandbox.violations()).toMatchObject([{ subject: id }]);
    await sandbox.sql(`UPDATE payout_items SET status = 'SUCCESS' WHERE id = '${id}'`);
  });
});
