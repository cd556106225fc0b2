import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { forAllTests } from '../../helpers/shared.js';
import { eventually, SandboxFixture } from '../sandbox-fixture.js';
import { batchOf, FAST, itemFor, PATH, Payouts } from './payout-helpers.js';

describe('payouts', () => {
  let payouts: Payouts;
  const sandbox = forAllTests(() => SandboxFixture.start({ dayLengthMs: 60_000 }));
  beforeAll(() => {
    payouts = new Payouts(sandbox);
  });
  beforeEach(() => sandbox.configure(FAST));

  it('are accepted, processed and paid, each item booked once', async () => {
    const created = await payouts.create(
      [itemFor('a@example.com', { note: 'Thanks', sender_item_id: 'one' }), itemFor('b@example.com')],
      { sender_batch_id: 'paid-1', email_message: 'Hello' },
    );
    expect(created).toMatchObject({
      status: 201,
      body: {
        batch_header: {
          payout_batch_id: expect.any(String),
          batch_status: 'PENDING',
          sender_batch_header: {
            sender_batch_id: 'paid-1',
            email_subject: 'You have a payment',
            email_message: 'Hello',
          },
        },
      },
    });
    const batchId: string = created.body.batch_header.payout_batch_id;
    const self = { rel: 'self', method: 'GET', href: `${sandbox.url}${PATH}/${batchId}` };
    expect(created.body.links).toEqual([self]);

    await payouts.reaches(batchId, ['SUCCESS']);
    const batch = await payouts.get(batchId);
    expect(batch).toMatchObject({
      batch_header: {
        batch_status: 'SUCCESS',
        time_created: expect.any(String),
        time_completed: expect.any(String),
        amount: { currency: 'USD', value: '20.00' },
        fees: { currency: 'USD', value: '0.00' },
        funding_source: 'BALANCE',
      },
      items: [
        {
          transaction_status: 'SUCCESS',
          payout_batch_id: batchId,
          payout_item: {
            recipient_type: 'EMAIL',
            amount: { currency: 'USD', value: '10.00' },
            note: 'Thanks',
            receiver: 'a@example.com',
            sender_item_id: 'one',
          },
        },
        { transaction_status: 'SUCCESS' },
      ],
      links: [self],
    });
    const [first] = batch.items;
    expect(first.links).toEqual([
      { rel: 'item', method: 'GET', href: `${sandbox.url}${PATH}-item/${first.payout_item_id}` },
    ]);
    expect(await payouts.item(first.payout_item_id)).toEqual({
      ...first,
      sender_batch_id: 'paid-1',
      links: [
        { ...first.links[0], rel: 'self' },
        { ...self, rel: 'batch' },
      ],
    });
    expect(await payouts.booksOf(first.payout_item_id)).toEqual(['payout 1000']);
    expect(await payouts.eventsOf(batchId)).toEqual(
      expect.arrayContaining(['PAYMENT.PAYOUTSBATCH.PROCESSING', 'PAYMENT.PAYOUTSBATCH.SUCCESS']),
    );
    expect(await payouts.eventsOf(first.payout_item_id)).toEqual(['PAYMENT.PAYOUTS-ITEM.SUCCEEDED']);
    expect(await sandbox.violations()).toEqual([]);
  });

  it('carry their own references into the books', async () => {
    const batch = await payouts.finished([itemFor('a@example.com', { sender_item_id: 'ref-item' })], {
      sender_batch_id: 'ref-batch',
    });
    const { body } = await sandbox.request('GET', '/admin/books/movements?clientId=shop&limit=10000');
    const [movement] = body.movements.filter(
      ({ payoutItemId }: { payoutItemId: string }) => payoutItemId === batch.items[0].payout_item_id,
    );
    expect(movement).toMatchObject({ kind: 'payout', invoiceNumber: 'ref-batch', custom: 'ref-item' });
  });

  it('take the recipient type of their header, and amounts as numbers, without decimals and with three', async () => {
    const header = { recipient_type: 'PAYPAL_ID' };
    const amounts: [unknown, string, string][] = [
      [0.99, 'USD', '0.99'],
      ['10.6', 'USD', '10.60'],
      ['1000', 'JPY', '1000'],
      ['1.234', 'KWD', '1.234'],
    ];
    for (const [value, currency, written] of amounts) {
      const item = { receiver: 'G83JXTJ5EHCQ2', amount: { value, currency } };
      const batch = await payouts.finished([item], header);
      expect(batch.batch_header.amount).toEqual({ currency, value: written });
      expect(batch.items[0].payout_item).toMatchObject({
        recipient_type: 'PAYPAL_ID',
        receiver: item.receiver,
      });
    }
    expect(await sandbox.violations()).toEqual([]);
  });

  it('are refused with a sender_batch_id of the last 30 days, with a link to the first batch', async () => {
    const first = await payouts.create([itemFor('a@example.com')], { sender_batch_id: 'twice' });
    const second = await payouts.create([itemFor('b@example.com')], { sender_batch_id: 'twice' });
    expect(second).toMatchObject({
      status: 400,
      body: {
        name: 'USER_BUSINESS_ERROR',
        details: [{ field: 'SENDER_BATCH_ID', value: 'twice' }],
        links: first.body.links,
      },
    });
    await sandbox.sql(
      "UPDATE payout_batches SET created_at = created_at - interval '31 days' WHERE sender_batch_id = 'twice'",
    );
    expect(await payouts.create([itemFor('b@example.com')], { sender_batch_id: 'twice' })).toMatchObject({
      status: 201,
    });
  });

  it('are paid once when one batch comes many times at the same moment', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () =>
        payouts.create([itemFor('race@example.com')], { sender_batch_id: 'race' }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    const rows = await sandbox.sql("SELECT id FROM payout_items WHERE receiver = 'race@example.com'");
    expect(rows).toHaveLength(1);
  });

  it('give the same answer to the same request id, and pay once', async () => {
    const headers = { 'PayPal-Request-Id': 'payout-key' };
    const one = await payouts.create([itemFor('key@example.com')], {}, headers);
    const two = await payouts.create([itemFor('key@example.com')], {}, headers);
    expect(two.body).toEqual(one.body);
    expect(await sandbox.sql("SELECT id FROM payout_items WHERE receiver = 'key@example.com'")).toHaveLength(
      1,
    );
  });

  it('pay the first of two items with one sender_item_id, unless the service is configured to pay both', async () => {
    const twins = [
      itemFor('a@example.com', { sender_item_id: 'twin' }),
      itemFor('a@example.com', { sender_item_id: 'twin' }),
    ];
    const batch = await payouts.finished(twins);
    expect(batch.batch_header.batch_status).toBe('SUCCESS');
    expect(batch.items).toMatchObject([
      { transaction_status: 'SUCCESS' },
      { transaction_status: 'FAILED', errors: { name: 'DUPLICATE_ITEM', message: expect.any(String) } },
    ]);
    expect(await payouts.booksOf(batch.items[0].payout_item_id)).toEqual(['payout 1000']);
    expect(await payouts.booksOf(batch.items[1].payout_item_id)).toEqual([]);
    expect(await sandbox.violations()).toEqual([]);

    await sandbox.configure({ ...FAST, payoutDuplicateItems: 'pay' });
    expect((await payouts.finished(twins)).items).toMatchObject([
      { transaction_status: 'SUCCESS' },
      { transaction_status: 'SUCCESS' },
    ]);
  });

  it('are paid before the answer in synchronous mode, one item at a time', async () => {
    const answer = await sandbox.call(
      'POST',
      `${PATH}/?sync_mode=true`,
      batchOf([itemFor('now@example.com')]),
    );
    expect(answer).toMatchObject({
      status: 201,
      body: { batch_header: { batch_status: 'SUCCESS' }, items: [{ transaction_status: 'SUCCESS' }] },
    });
    const two = batchOf([itemFor('a@example.com'), itemFor('b@example.com')]);
    expect((await sandbox.call('POST', `${PATH}?sync_mode=true`, two)).body.details[0].field).toBe('items');
    expect(await sandbox.violations()).toEqual([]);
  });

  it('are visible to their own application only', async () => {
    const batch = await payouts.finished([itemFor('mine@example.com')]);
    await sandbox.request('PUT', '/admin/applications/other', { clientSecret: 'other' });
    const other = { authorization: `Bearer ${await sandbox.newToken('other', 'other')}` };
    const itemPath = `${PATH}-item/${batch.items[0].payout_item_id}`;
    for (const [method, path] of [
      ['GET', `${PATH}/${batch.batch_header.payout_batch_id}`],
      ['GET', itemPath],
      ['POST', `${itemPath}/cancel`],
    ] as const) {
      expect(await sandbox.call(method, path, method === 'POST' ? {} : undefined, other)).toMatchObject({
        status: 404,
        body: { name: 'INVALID_RESOURCE_ID' },
      });
    }
  });

  it('are read page by page, and only the members that are asked for', async () => {
    const receivers = ['0', '1', '2', '3', '4'].map((name) => `${name}@example.com`);
    const batch = await payouts.finished(receivers.map((receiver) => itemFor(receiver)));
    const id: string = batch.batch_header.payout_batch_id;
    const page = await payouts.get(id, '?page=2&page_size=2&total_required=true');
    expect(page).toMatchObject({ total_items: 5, total_pages: 3 });
    expect(page.items).toEqual(batch.items.slice(2, 4));
    expect(page.links.map(({ rel }: { rel: string }) => rel)).toEqual(['self', 'next', 'prev']);
    const next = page.links[1].href.slice(sandbox.url.length);
    const following = (await sandbox.call('GET', next)).body;
    expect(following).toMatchObject({ items: batch.items.slice(4), total_items: 5, total_pages: 3 });
    const listed = await payouts.get(id, '?page_size=4&fields=items,links');
    const rest = (await sandbox.call('GET', listed.links[1].href.slice(sandbox.url.length))).body;
    expect(Object.keys(rest)).toEqual(['items', 'links']);
    expect((await payouts.get(id, '?page=9&page_size=2')).items).toEqual([]);
    expect(Object.keys(await payouts.get(id, '?fields=batch_header'))).toEqual(['batch_header']);
    for (const query of ['?page_size=0', '?page_size=1001', '?page=x', '?fields=secret']) {
      expect((await payouts.get(id, query)).name).toBe('VALIDATION_ERROR');
    }
  });

  it('continue after a restart, from any point', async () => {
    await sandbox.configure({ payoutPendingMs: 300, payoutProcessingMs: 300 });
    const { body } = await payouts.create([itemFor('restart@example.com')]);
    const id: string = body.batch_header.payout_batch_id;
    await sandbox.restart();
    await payouts.reaches(id, ['PROCESSING', 'SUCCESS']);
    await sandbox.restart();
    await payouts.reaches(id, ['SUCCESS']);
    await eventually(async () => (await payouts.eventsOf(id)).length).toBe(2);
    expect(await sandbox.violations()).toEqual([]);
  });
});
