import { describe, expect, it } from 'vitest';
import { forAllTests } from '../../helpers/shared.js';
import { SandboxFixture, type Answer } from '../sandbox-fixture.js';
import { FAST, itemFor, Payouts } from '../payouts/payout-helpers.js';

const PATH = '/v1/notifications/webhooks-events';
const INTERFACE_PATH = '/v1/notfications/webhooks-events';

describe('the search for past events', () => {
  const sandbox = forAllTests(() => SandboxFixture.start());

  const search = async (query: string): Promise<Answer['body']> =>
    (await sandbox.call('GET', `${PATH}?${query}`)).body;
  const typesFor = async (transactionId: string): Promise<string[]> =>
    (await search(`transaction_id=${transactionId}&page_size=50`)).events
      .map((event: { event_type: string }) => event.event_type)
      .toSorted();
  const follow = async (body: Answer['body'], rel: string): Promise<Answer['body']> => {
    const link = body.links.find((one: { rel: string }) => one.rel === rel);
    return (await sandbox.call('GET', link.href.slice(sandbox.url.length))).body;
  };

  it('finds the events of a payment by each id that took part in it', async () => {
    const { paymentId, authorizationId } = await sandbox.authorized();
    const captured = await sandbox.capture(authorizationId, '40.00');
    const captureId: string = captured.body.id;
    const refunded = await sandbox.call('POST', `/v1/payments/capture/${captureId}/refund`, {});
    const voided = await sandbox.void(authorizationId);
    expect([refunded.status, voided.status]).toEqual([201, 200]);

    const ofCapture = ['PAYMENT.CAPTURE.COMPLETED', 'PAYMENT.CAPTURE.REFUNDED'];
    const ofAuthorization = ['PAYMENT.AUTHORIZATION.CREATED', 'PAYMENT.AUTHORIZATION.VOIDED'];
    expect(await typesFor(authorizationId)).toEqual(ofAuthorization);
    expect(await typesFor(captureId)).toEqual(ofCapture);
    expect(await typesFor(refunded.body.id)).toEqual(['PAYMENT.CAPTURE.REFUNDED']);
    expect(await typesFor(paymentId)).toEqual(expect.arrayContaining([...ofAuthorization, ...ofCapture]));
    expect(await typesFor('NOSUCHID')).toEqual([]);
  });

  it('finds a sale and its refund by the sale', async () => {
    const created = await sandbox.createPayment({ intent: 'sale' });
    await sandbox.approve(created.body.id);
    const executed = await sandbox.execute(created.body.id);
    const saleId: string = executed.body.transactions[0].related_resources[0].sale.id;
    await sandbox.call('POST', `/v1/payments/sale/${saleId}/refund`, {});
    expect(await typesFor(saleId)).toEqual(['PAYMENT.SALE.COMPLETED', 'PAYMENT.SALE.REFUNDED']);
  });

  it('finds a payout by its batch, its item and the item’s transaction', async () => {
    await sandbox.configure(FAST);
    const batch = await new Payouts(sandbox).finished([itemFor('a@example.com')]);
    const [item] = batch.items;
    expect(await typesFor(batch.batch_header.payout_batch_id)).toEqual([
      'PAYMENT.PAYOUTSBATCH.PROCESSING',
      'PAYMENT.PAYOUTSBATCH.SUCCESS',
    ]);
    for (const id of [item.payout_item_id, item.transaction_id]) {
      expect(await typesFor(id)).toEqual(['PAYMENT.PAYOUTS-ITEM.SUCCEEDED']);
    }
  });

  it('goes forward and back page by page, and shows each event once', async () => {
    for (let count = 0; count < 3; count += 1) await sandbox.authorized();
    const query = 'event_type=PAYMENT.AUTHORIZATION.CREATED';
    const all = (await search(`${query}&page_size=50`)).events;
    const total: number = all.length;
    expect(total).toBeGreaterThan(3);

    const seen: unknown[] = [];
    let page = await search(`${query}&page_size=2`);
    expect(page.links.map(({ rel }: { rel: string }) => rel)).toEqual(['self', 'next']);
    const pages = [page];
    for (;;) {
      seen.push(...page.events);
      if (!page.links.some(({ rel }: { rel: string }) => rel === 'next')) break;
      page = await follow(page, 'next');
      pages.push(page);
    }
    expect(seen).toEqual(all);
    for (const before of pages.slice(0, -1).toReversed()) {
      page = await follow(page, 'prev');
      expect(page.events).toEqual(before.events);
    }
    expect(page.links.map(({ rel }: { rel: string }) => rel)).toEqual(['self', 'next']);
  });

  it('respects times, types and limits, under both spellings of the path', async () => {
    const { events } = await search('page_size=50');
    const [newest, next] = events;
    const from = await search(`start_time=${newest.create_time}`);
    expect(from.events.map(({ id }: { id: string }) => id)).toContain(newest.id);
    const until = await search(`end_time=${next.create_time}&page_size=50`);
    expect(
      until.events.every((event: { create_time: string }) => event.create_time <= next.create_time),
    ).toBe(true);
    const spelled = (await sandbox.call('GET', `${INTERFACE_PATH}?page_size=50`)).body;
    expect(spelled.events).toEqual(events);
    expect(spelled.links[0].href).toContain(INTERFACE_PATH);
    expect((await sandbox.call('GET', `${PATH}/?page_size=1`)).body.count).toBe(1);
    for (const query of [
      'page_size=0',
      'page_size=301',
      'start_time=x',
      'transaction_id=a%20b',
      'start_id=NOSUCH',
    ]) {
      expect(await search(query)).toMatchObject({
        name: expect.stringMatching(/VALIDATION_ERROR|INVALID_RESOURCE_ID/),
      });
    }
  });

  it('shows an application its own events only, and no other’s cursors', async () => {
    const { events } = await search('page_size=1');
    await sandbox.request('PUT', '/admin/applications/other', { clientSecret: 'other' });
    const other = { authorization: `Bearer ${await sandbox.newToken('other', 'other')}` };
    expect((await sandbox.call('GET', PATH, undefined, other)).body.events).toEqual([]);
    const resource = events[0].resource.id;
    const found = await sandbox.call('GET', `${PATH}?transaction_id=${resource}`, undefined, other);
    expect(found.body.events).toEqual([]);
    const cursor = await sandbox.call('GET', `${PATH}?start_id=${events[0].id}`, undefined, other);
    expect(cursor.status).toBe(404);
  });
});
