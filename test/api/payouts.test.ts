import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type ShownItem, takeItems, totalItems } from '#database/subjects';
import { payoutRecords, writeTransition } from '#database/transitions';
import { type PayoutEvent, type PayoutState, transition } from '#workflows/lifecycle/payout';
import { owner } from '../database/engine-database.js';
import { forAllTests } from '../helpers/shared.js';
import { ApiFixture } from './api-fixture.js';

const api = forAllTests(() => ApiFixture.start({ answerWithinMs: 200 }));

const item = (change: Record<string, unknown> = {}) => ({
  itemId: 'anna-1',
  receiver: { type: 'EMAIL', value: 'anna@example.com' },
  amount: { value: '7.50', currency: 'USD' },
  ...change,
});

const post = async (body: unknown, options: { apiKey?: string; idempotencyKey?: string } = {}) =>
  await api.call('POST', '/v1/payouts', { body, idempotencyKey: randomUUID(), ...options });

async function stored(): Promise<number> {
  const [payouts, items, commands] = await Promise.all([
    api.db.selectFrom('payouts').select('id').execute(),
    api.db.selectFrom('payout_items').select('item_id').execute(),
    api.db.selectFrom('commands').select('id').execute(),
  ]);
  return payouts.length + items.length + commands.length;
}

describe('an invalid payout', () => {
  const items = (n: number, change: Record<string, unknown>) =>
    Array.from({ length: n + 1 }, (_none, at) => item({ itemId: `i-${at}`, ...(at === n && change) }));

  it.each([
    [{ items: [] }, '/items'],
    [{}, '/items'],
    [{ items: items(17, { amount: { value: '1.001', currency: 'USD' } }) }, '/items/17/amount/value'],
    [{ items: items(2, { amount: { value: '0.00', currency: 'USD' } }) }, '/items/2/amount/value'],
    [{ items: items(1, { amount: { value: '100', currency: 'JPY' } }) }, '/items/1/amount/currency'],
    [{ items: items(0, { amount: { value: '1', currency: 'XQZ' } }) }, '/items/0/amount/currency'],
    [{ items: items(1, { receiver: { type: 'EMAIL', value: 'anna' } }) }, '/items/1/receiver/value'],
    [{ items: items(1, { receiver: { type: 'PHONE', value: 'anna' } }) }, '/items/1/receiver/value'],
    [{ items: items(1, { receiver: { type: 'FAX', value: '1' } }) }, '/items/1/receiver/type'],
    [{ items: items(1, { itemId: 'anna@example.com' }) }, '/items/1/itemId'],
    [{ items: items(1, { itemId: 'i-0' }) }, '/items/1/itemId'],
    [{ items: items(1, { surplus: 1 }) }, '/items/1/surplus'],
    [{ items: [item()], reference: 'a b' }, '/reference'],
    [{ items: items(10_000, {}) }, '/items'],
  ])('is refused with the field that is wrong, and nothing is stored', async (body, pointer) => {
    const before = await stored();
    const answer = await post(body);
    expect([answer.status, answer.body['errors']]).toEqual([
      422,
      [{ pointer, detail: expect.any(String) as string }],
    ]);
    expect(answer.text).not.toContain('anna@example.com');
    expect(await stored()).toBe(before);
  });

  it('is answered with its first 100 mistakes', async () => {
    const body = {
      items: Array.from({ length: 500 }, (_none, at) => item({ itemId: `i-${at}`, amount: null })),
    };
    expect((await post(body)).body['errors']).toHaveLength(100);
  });

  it('is refused without a key of either kind, and above 8 MiB', async () => {
    expect((await api.call('POST', '/v1/payouts', { body: { items: [item()] } })).status).toBe(400);
    expect((await post({ items: [item()] }, { apiKey: 'wrong' })).status).toBe(401);
    expect(await post(`{"items":"${'x'.repeat(9_000_000)}"}`)).toMatchObject({
      status: 413,
      body: { detail: 'The body may have at most 8388608 bytes.' },
    });
  });
});

describe('a payout that waits for its run', () => {
  it('is shown masked, to its own application only, with its items page by page', async () => {
    const items = ['a', 'b', 'c'].map((itemId) => item({ itemId }));
    const answer = await post({ items, reference: 'shares' });
    expect([answer.status, answer.body['state'], answer.body['reference']]).toEqual([
      202,
      'creating',
      'shares',
    ]);
    const path = `/v1/payouts/${String(answer.body['id'])}`;
    const first = await api.call('GET', `${path}/items?limit=2`);
    expect(first.body['data']).toMatchObject([
      { itemId: 'a', state: 'queued', receiver: { type: 'EMAIL', masked: 'a…@e…' } },
      { itemId: 'b' },
    ]);
    const cursor = String(first.body['nextCursor']);
    const second = await api.call('GET', `${path}/items?limit=2&cursor=${cursor}`);
    expect([second.body['data'], second.body['nextCursor']]).toMatchObject([[{ itemId: 'c' }], null]);
    expect((await api.call('GET', `${path}/items?cursor=nonsense`)).status).toBe(422);
    expect((await api.call('GET', `${path}/items?state=paid`)).status).toBe(422);
    for (const route of [path, `${path}/items`, `${path}/timeline`]) {
      expect((await api.call('GET', route, { apiKey: ApiFixture.bookshopKey })).status).toBe(404);
    }
    const listed = await api.call('GET', '/v1/payouts?state=creating');
    expect(listed.body['data']).toMatchObject([{ id: answer.body['id'] }]);
    const rows = await api.db.selectFrom('payouts').selectAll().execute();
    expect(rows.map(({ sealed_letters }) => sealed_letters?.toString('latin1'))).not.toContain('anna');
  });

  it('has no item that can be cancelled', async () => {
    const { body } = await post({ items: [item()] });
    const cancel = async (itemId: string) =>
      await api.call('POST', `/v1/payouts/${String(body['id'])}/items/${itemId}/cancel`, {
        idempotencyKey: randomUUID(),
      });
    expect(await cancel('anna-1')).toMatchObject({ status: 409, body: { code: 'item_not_unclaimed' } });
    expect((await cancel('nobody')).status).toBe(404);
  });
});

const taken = (itemId: string, status: ShownItem['status'], minor = 750): ShownItem => ({
  itemId,
  providerItemId: `ITEM-${itemId}`,
  status,
  minor,
  currency: 'USD',
});

/** Of two items, at the provider. */
async function settling(): Promise<{ readonly id: string; readonly state: PayoutState }> {
  const amount = { value: '2.50', currency: 'USD' };
  const { body } = await post({ items: [item({ itemId: 'anna' }), item({ itemId: 'ben', amount })] });
  const id = String(body['id']);
  await takeItems(api.db, id, [taken('anna', 'pending'), taken('ben', 'unclaimed', 250)]);
  const row = api.db.selectFrom('payouts').select('state').where('id', '=', id);
  const { openStep: _created, ...ordered } = (await row.executeTakeFirstOrThrow()).state;
  const known = { status: 'settling', providerBatchId: 'BATCH-1' } as const;
  return { id, state: { ...ordered, ...known, totals: await totalItems(api.db, id) } };
}

/** As a worker writes what follows from an event in a workflow task. */
async function goOn(
  { id, state }: { readonly id: string; readonly state: PayoutState },
  event: PayoutEvent,
  taskStartedAt: number,
): Promise<void> {
  const { state: next } = transition(state, event, taskStartedAt);
  const subject = { ...owner, id };
  const at = { version: 3, timeline: [], taskStartedAt };
  await writeTransition(api.db, { records: payoutRecords, subject, state: next, ...at });
}

describe('a payout whose run writes its rows', () => {
  const readTask = Date.now();
  const laterTask = readTask + 10_000;
  const cancellation: PayoutEvent = {
    type: 'itemCancelRequested',
    commandId: 'cmd_1',
    itemId: 'ben',
    providerItemId: 'ITEM-ben',
  };

  it('goes on showing an item as paid when the read that showed it is lost, alone and in the list', async () => {
    const payout = await settling();
    const { id } = payout;
    await takeItems(api.db, id, [taken('anna', 'success')]);
    const totals = await totalItems(api.db, id);
    await goOn(payout, { type: 'payoutObserved', facts: { batchStatus: 'SUCCESS', totals } }, readTask);
    const paid = { success: { count: 1, amount: { value: '7.50', currency: 'USD' } }, pending: { count: 0 } };
    expect((await api.call('GET', `/v1/payouts/${id}`)).body['totals']).toMatchObject(paid);
    await goOn(payout, cancellation, laterTask);
    const shown = await api.call('GET', `/v1/payouts/${id}`);
    expect(shown.body).toMatchObject({ totals: paid, pendingOperation: { kind: 'cancelItem' } });
    expect((await api.call('GET', '/v1/payouts?limit=1')).body['data']).toMatchObject([{ id, totals: paid }]);
  });

  it('shows which item is being cancelled, and its amount', async () => {
    const payout = await settling();
    await goOn(payout, cancellation, readTask);
    const amount = { value: '2.50', currency: 'USD' };
    const pendingOperation = { kind: 'cancelItem', itemId: 'ben', amount };
    expect((await api.call('GET', `/v1/payouts/${payout.id}`)).body).toMatchObject({ pendingOperation });
    expect((await api.call('GET', '/v1/payouts?limit=1')).body['data']).toMatchObject([
      { id: payout.id, pendingOperation },
    ]);
  });
});

describe('case 28: a reference that already names a payout', () => {
  it('is refused with 409 and the payout, on any API process, and so is the same request again', async () => {
    const second = await ApiFixture.start({ databaseUrl: api.databaseUrl, answerWithinMs: 200 });
    const body = { items: [item()], reference: `shares-${randomUUID()}` };
    const keys = Array.from({ length: 10 }, () => randomUUID());
    const ask = async (idempotencyKey: string, at: number) =>
      await (at % 2 === 0 ? api : second).call('POST', '/v1/payouts', { body, idempotencyKey });
    const answers = await Promise.all(keys.map(ask));
    const made = answers.findIndex(({ status }) => status === 202);
    const id = String(answers[made]?.body['id']);
    const address = `https://payments.example/v1/payouts/${id}`;
    for (const [at, { status, body: reported, headers }] of answers.entries()) {
      expect(headers.get('location')).toBe(address);
      if (at === made) continue;
      expect([status, reported]).toMatchObject([
        409,
        {
          type: 'urn:payments:problem:conflict',
          code: 'duplicate_reference',
          payoutId: id,
          currentState: 'creating',
          errors: [{ pointer: '/reference' }],
        },
      ]);
    }
    expect((await ask(keys[made] ?? '', made + 1)).body['id']).toBe(id);
    await second.close();
  });

  it('is refused for the key under the key of another request', async () => {
    const [reference, idempotencyKey] = [`shares-${randomUUID()}`, randomUUID()];
    await post({ items: [item()], reference }, { idempotencyKey });
    const answer = await post({ items: [item({ itemId: 'ben-1' })], reference }, { idempotencyKey });
    expect(answer).toMatchObject({
      status: 409,
      body: { type: 'urn:payments:problem:idempotency-key-reused' },
    });
  });
});
