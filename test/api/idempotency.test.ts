import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { historyText } from '../helpers/history-text.js';
import { forAllTests } from '../helpers/shared.js';
import {
  ApiFixture,
  authorizedState,
  closedAddress,
  useTemporal,
  order,
  runIdOf,
  temporalAt,
} from './api-fixture.js';

const api = forAllTests(() => ApiFixture.start());
/** The same API on the same database, but its Temporal is away. */
const cutOff = forAllTests(() =>
  ApiFixture.start({ databaseUrl: api.databaseUrl, temporal: temporalAt(closedAddress) }),
);
const temporal = useTemporal();

describe('while no worker is up', () => {
  test('an order is accepted with 202, its address and its run', async () => {
    const answer = await api.order();
    const id = String(answer.body['id']);
    expect(answer.status).toBe(202);
    expect(answer.headers.get('retry-after')).toBe('1');
    expect(answer.headers.get('location')).toBe(`https://payments.example/v1/payments/${id}`);
    expect(answer.body).toMatchObject({
      state: 'creating',
      temporalUrl: `http://temporal-ui.example/namespaces/default/workflows/${encodeURIComponent(runIdOf(id))}`,
    });
    const run = await temporal.workflow.getHandle(runIdOf(id)).describe();
    expect(run.status.name).toBe('RUNNING');
    expect(run.searchAttributes).toMatchObject({ OrderId: ['order-1'], Application: ['shop'] });
  });

  test('neither the history nor the rows hold the payee’s e-mail in plain text', async () => {
    const { body } = await api.order({
      payee: { email: 'secret.payee@example.com' },
      description: 'call secret.payee@example.com',
    });
    const history = await temporal.workflow.getHandle(runIdOf(String(body['id']))).fetchHistory();
    const payment = await api.db
      .selectFrom('payments')
      .selectAll()
      .where('id', '=', String(body['id']))
      .executeTakeFirstOrThrow();
    const command = await api.db
      .selectFrom('commands')
      .selectAll()
      .where('subject_id', '=', payment.id)
      .executeTakeFirstOrThrow();
    const stored = Buffer.from(JSON.stringify([payment, command, body])).toString();
    expect(stored).not.toContain('secret.payee');
    expect(payment).toMatchObject({ description: 'call [redacted]', payee_masked: 's…@e…' });
    for (const form of [history, JSON.parse(JSON.stringify(history)) as unknown]) {
      expect(historyText(form)).toContain('sealed/2');
      expect(historyText(form)).not.toContain('secret.payee');
    }
  });
});

describe('the same key and the same body', () => {
  test('make one payment and one run when they are sent twenty times at once', async () => {
    const key = randomUUID();
    const answers = await Promise.all(Array.from({ length: 20 }, () => api.order({}, key)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
    expect(new Set(answers.map(({ body }) => body['id']))).toHaveLength(1);
    const commands = await api.db
      .selectFrom('commands')
      .selectAll()
      .where('idempotency_key', '=', key)
      .execute();
    expect(commands).toHaveLength(1);
    const payments = await api.db
      .selectFrom('payments')
      .select('id')
      .where('id', 'not in', (orphans) => orphans.selectFrom('commands').select('subject_id'))
      .execute();
    expect(payments).toEqual([]);
  });

  test('are the same whatever the order of fields and the spelling of amounts', async () => {
    const key = randomUUID();
    const first = await api.order({ amount: { value: '10.6', currency: 'USD' } }, key);
    const again = await api.order({ amount: { currency: 'USD', value: '10.60' } }, key);
    expect(again.status).toBe(202);
    expect(again.body['id']).toBe(first.body['id']);
  });

  test('belong to one application: another one gets its own payment with them', async () => {
    const key = randomUUID();
    const mine = await api.order({}, key);
    const theirs = await api.call('POST', '/v1/payments', {
      body: order,
      idempotencyKey: key,
      apiKey: ApiFixture.bookshopKey,
    });
    expect(theirs.status).toBe(202);
    expect(theirs.body['id']).not.toBe(mine.body['id']);
  });

  test('ask for a capture in each of two applications', async () => {
    const idempotencyKey = randomUUID();
    const apiKey = ApiFixture.bookshopKey;
    const mine = await api.paymentWith(authorizedState());
    const other = { body: order, idempotencyKey: randomUUID(), apiKey };
    const theirs = String((await api.call('POST', '/v1/payments', other)).body['id']);
    await api.moveTo(theirs, authorizedState());
    const capture = async (id: string, more: object = {}) =>
      await api.call('POST', `/v1/payments/${id}/captures`, { body: {}, idempotencyKey, ...more });
    const answers = [await capture(mine), await capture(theirs, { apiKey })];
    expect(answers.map(({ status }) => status)).toEqual([202, 202]);
  });

  test('are answered with the current payment', async () => {
    const key = randomUUID();
    const { body } = await api.order({}, key);
    await api.moveTo(String(body['id']), {
      status: 'awaiting_approval',
      approvalUrl: 'https://pay.example/a',
    });
    const again = await api.order({}, key);
    expect(again.status).toBe(201);
    expect(again.body).toMatchObject({
      id: body['id'],
      state: 'awaiting_approval',
      approvalUrl: 'https://pay.example/a',
    });
  });

  test('start the run that was refused with 503 while Temporal was down', async () => {
    const key = randomUUID();
    const refused = await cutOff.order({ payee: { email: 'shop@example.com' } }, key);
    expect(refused.status).toBe(503);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    const accepted = await api.order({ payee: { email: 'shop@example.com' } }, key);
    expect(accepted.status).toBe(202);
    const run = await temporal.workflow.getHandle(runIdOf(String(accepted.body['id']))).describe();
    expect(run.status.name).toBe('RUNNING');
  });

  test('need no Temporal once the payment has moved', async () => {
    const key = randomUUID();
    const { body } = await api.order({}, key);
    await api.moveTo(String(body['id']), { status: 'awaiting_approval' });
    expect((await cutOff.order({}, key)).status).toBe(201);
  });
});

describe('a key', () => {
  test('that is sent twice is refused, because a repeat that sends it once would be another request', async () => {
    const key = randomUUID();
    const body = JSON.stringify(order);
    const headers = [
      ['host', new URL(api.url).host],
      ['authorization', `Bearer ${ApiFixture.shopKey}`],
      ['content-type', 'application/json'],
      ['content-length', String(Buffer.byteLength(body))],
      ['idempotency-key', key],
      ['idempotency-key', key],
    ];
    const asked = request(`${api.url}/v1/payments`, { method: 'POST', headers: headers.flat() }).end(body);
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    expect(answer.statusCode).toBe(400);
    expect(await text(answer)).toContain('must be sent once');
    const stored = await api.db
      .selectFrom('commands')
      .select('id')
      .where('idempotency_key', 'like', `${key}%`)
      .execute();
    expect(stored).toEqual([]);
  });

  test('with another body is refused with 409 and the payment it belongs to', async () => {
    const key = randomUUID();
    const { body } = await api.order({}, key);
    const other = await api.order({ amount: { value: '100.01', currency: 'USD' } }, key);
    expect(other.status).toBe(409);
    expect(other.body).toMatchObject({
      type: 'urn:payments:problem:idempotency-key-reused',
      errors: [{ header: 'Idempotency-Key' }],
      paymentId: body['id'],
    });
  });

  test.each([
    ['is required', undefined],
    ['must not be longer than 255 characters', 'k'.repeat(256)],
    ['must not be one of the engine’s own', 'policy:pay_1'],
    ['must not be one of the console’s', 'console:pay_1:1.0.0'],
  ])('%s', async (_case, idempotencyKey) => {
    for (const path of ['/v1/payments', '/v1/payments/pay_1/captures', '/v1/payments/pay_1/void']) {
      const answer = await api.call('POST', path, {
        body: path === '/v1/payments' ? order : {},
        ...(idempotencyKey !== undefined && { idempotencyKey }),
      });
      expect(answer.status).toBe(400);
      expect(answer.body['errors']).toMatchObject([{ header: 'Idempotency-Key' }]);
    }
  });
});
