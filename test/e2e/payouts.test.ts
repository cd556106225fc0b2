import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEngine } from '../helpers/engine.js';
import { forAllTests } from '../helpers/shared.js';
import { PayoutService, item } from '../payouts/payout-service.js';

let service: PayoutService;
const engine = forAllTests(startEngine);
beforeAll(() => {
  service = new PayoutService(engine);
});
afterAll(async () => {
  expect(await engine.sandbox.booksAreSound()).toBe(true);
});

describe('a payout', () => {
  it('pays each receiver once, takes back unclaimed items, and keeps no address', async () => {
    const { status, body } = await service.order(
      [item('anna'), item('ben', 'failed', '3.00'), item('cleo', 'unclaimed', '2.00')],
      { emailSubject: 'Your share', note: 'Thanks', reference: 'shares-1' },
    );
    expect([status, body.amount]).toEqual([201, { value: '12.50', currency: 'USD' }]);
    await service.reaches(body.id, 'settling');
    const { totals } = await service.totalReaches(body.id, 'unclaimed', 1);
    expect([totals['success']?.amount.value, totals['failed']?.count]).toEqual(['7.50', 1]);
    expect((await service.cancel(body.id, 'anna')).status).toBe(409);

    const key = randomUUID();
    const cancelled = await service.cancel(body.id, 'cleo', key);
    expect([cancelled.status, cancelled.body.item.state]).toEqual([200, 'returned']);
    expect((await service.cancel(body.id, 'cleo', key)).status).toBe(200);
    expect((await service.cancel(body.id, 'cleo')).status).toBe(409);
    await service.reaches(body.id, 'completed');
    expect(await service.booksOf(body.id)).toEqual([
      'payout anna 750',
      'payout ben 300',
      'payout cleo 200',
      'payout_return ben 300',
      'payout_return cleo 200',
    ]);
    expect((await service.items(body.id)).map(({ receiver, state: at }) => [receiver.masked, at])).toEqual([
      ['a…@r…', 'success'],
      ['b…@r…', 'failed'],
      ['c…@r…', 'returned'],
    ]);
    const kept = await Promise.all([
      engine.db.selectFrom('payouts').selectAll().execute(),
      engine.db.selectFrom('commands').selectAll().execute(),
      engine.db.selectFrom('api_calls').selectAll().execute(),
      engine.db.selectFrom('webhook_events').selectAll().execute(),
      engine.db.selectFrom('attempts').selectAll().execute(),
    ]);
    expect(JSON.stringify(kept)).not.toContain('receivers.example');
    expect(kept[0].map(({ sealed_letters }) => sealed_letters)).toEqual([null]);
  });

  it('case 28: is one batch when it is submitted twice, and refuses two items of one id', async () => {
    const [key, items] = [randomUUID(), [item('twin-1'), item('twin-2')]];
    const [one, other] = await Promise.all([service.order(items, { key }), service.order(items, { key })]);
    expect(other.body.id).toBe(one.body.id);
    await service.reaches(one.body.id, 'completed');
    expect(await service.booksOf(one.body.id)).toEqual(['payout twin-1 750', 'payout twin-2 750']);
    expect((await service.order([item('twin-1')], { key })).status).toBe(409);

    const reference = 'twins-1';
    const both = await Promise.all([
      service.order(items, { reference }),
      service.order(items, { reference }),
    ]);
    const [paid, again] = both.toSorted((first, second) => first.status - second.status);
    expect([paid?.status, again]).toMatchObject([
      201,
      { status: 409, body: { code: 'duplicate_reference', payoutId: paid?.body.id } },
    ]);
    await service.reaches(paid?.body.id ?? '', 'completed');
    expect((await service.order(items, { reference })).status).toBe(409);
    expect(await service.booksOf(paid?.body.id ?? '')).toEqual(['payout twin-1 750', 'payout twin-2 750']);

    const before = await engine.db.selectFrom('payouts').select('id').execute();
    const refused = await service.order<{ errors: unknown }>([item('a'), item('b'), item('a')]);
    expect([refused.status, refused.body.errors]).toEqual([
      422,
      [{ pointer: '/items/2/itemId', detail: 'is already the id of item 0' }],
    ]);
    expect(await engine.db.selectFrom('payouts').select('id').execute()).toEqual(before);
  });

  it.each([
    ['JPY', ['750', '1'], '751', ['payout JPY-0 750', 'payout JPY-1 1']],
    ['KWD', ['7.505', '0.001'], '7.506', ['payout KWD-0 7505', 'payout KWD-1 1']],
  ])('case 30: is paid and shown exactly in %s', async (currency, values, total, books) => {
    const items = values.map((value, n) => item(`${currency}-${n}`, 'success', value, currency));
    const { body } = await service.order(items);
    expect(body.amount).toEqual({ value: total, currency });
    const { totals } = await service.reaches(body.id, 'completed');
    expect(totals['success']).toEqual({ count: 2, amount: { value: total, currency } });
    expect(await service.booksOf(body.id)).toEqual(books);
  });

  it('is found by its reference when every answer to its creation is lost', async () => {
    await engine.sandbox.fault({ kind: 'drop_reply', operation: 'payout.create', times: 5 });
    const { body } = await service.order([item('lost-1'), item('lost-2')]);
    await service.reaches(body.id, 'completed');
    expect(await service.booksOf(body.id)).toEqual(['payout lost-1 750', 'payout lost-2 750']);
    await engine.sandbox.clearFaults();
  });

  it('is paid once when the provider carries out late what it did not answer', async () => {
    await engine.sandbox.fault({
      kind: 'late',
      operation: 'payout.create',
      delayMs: 20_000,
      executeAfterMs: 1_500,
    });
    const { body } = await service.order([item('late-1')]);
    await service.reaches(body.id, 'completed');
    expect(await service.booksOf(body.id)).toEqual(['payout late-1 750']);
    await engine.sandbox.clearFaults();
  });

  it('is declined when the provider refuses it, and denied when the provider accepts it and pays nobody', async () => {
    await engine.sandbox.fault({ kind: 'poison', operation: 'payout.create', name: 'TRANSACTION_REFUSED' });
    const declined = await service.order([item('poor-1')], { reference: 'poor' });
    const { reason } = await service.reaches(declined.body.id, 'declined');
    expect(reason).toContain('TRANSACTION_REFUSED');
    expect(await service.booksOf(declined.body.id)).toEqual([]);
    const [row] = await engine.db
      .selectFrom('payouts')
      .selectAll()
      .where('id', '=', declined.body.id)
      .execute();
    expect(row?.sealed_letters).toBeNull();

    await engine.sandbox.configure({ payoutOutcome: 'denied' });
    const denied = await service.order([item('poor-2'), item('poor-3')], { reference: 'poorer' });
    const { totals } = await service.reaches(denied.body.id, 'denied');
    expect(totals['failed']?.count).toBe(2);
    await engine.sandbox.configure({});

    // The provider has no batch of the first wish, so it can be asked for again; of the second one it has.
    const again = await service.order([item('poor-1')], { reference: 'poor' });
    await service.reaches(again.body.id, 'completed');
    expect(await service.booksOf(again.body.id)).toEqual(['payout poor-1 750']);
    expect((await service.order([item('poor-1')], { reference: 'poor' })).status).toBe(409);
    expect((await service.order([item('poor-2')], { reference: 'poorer' })).status).toBe(409);
  });

  it('looks up a cancellation whose answer is lost, and learns what a receiver claims meanwhile', async () => {
    const { body } = await service.order([item('dora', 'unclaimed'), item('emil', 'unclaimed')]);
    await service.reaches(body.id, 'settling');
    await service.totalReaches(body.id, 'unclaimed', 2);
    await engine.sandbox.fault({ kind: 'drop_reply', operation: 'payout-item.cancel' });
    const cancelled = await service.cancel(body.id, 'dora');
    expect([cancelled.status, cancelled.body.item.state]).toEqual([200, 'returned']);
    const emil = (await service.items(body.id)).find(({ itemId }) => itemId === 'emil');
    await service.change(emil?.providerItemId ?? '', 'claim');
    await service.reaches(body.id, 'completed');
    expect((await service.items(body.id)).map(({ state }) => state)).toEqual(['returned', 'success']);
    expect(await service.booksOf(body.id)).toEqual([
      'payout dora 750',
      'payout emil 750',
      'payout_return dora 750',
    ]);
  });

  it('ends without any webhook', async () => {
    await engine.sandbox.fault({ kind: 'drop_delivery', times: null });
    await engine.sandbox.fault({ operation: 'event.list', kind: 'status', status: 503, times: null });
    const { body } = await service.order([item('silent-1', 'pending'), item('silent-2')]);
    const { totals } = await service.reaches(body.id, 'completed');
    expect(totals['success']?.count).toBe(2);
    await engine.sandbox.clearFaults();
  });
});
