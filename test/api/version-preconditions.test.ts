import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { forAllTests } from '../helpers/shared.js';
import { until } from '../helpers/until.js';
import { waitingForLocks } from '../helpers/waiting-for-locks.js';
import { type Answer, ApiFixture, authorizedState } from './api-fixture.js';

const api = forAllTests(() => ApiFixture.start());

const capture = async (
  id: string,
  ifMatch: string,
  { key, value = '10.00' }: { key?: string; value?: string } = {},
) =>
  await api.call('POST', `/v1/payments/${id}/captures`, {
    idempotencyKey: key ?? randomUUID(),
    body: { amount: { value, currency: 'USD' } },
    headers: { 'if-match': ifMatch },
  });

const commandsOf = async (id: string) =>
  await api.db
    .selectFrom('commands')
    .select(['kind', 'status'])
    .where('subject_id', '=', id)
    .where('kind', '<>', 'create')
    .execute();

/** The run has begun the accepted commands, and written a line. */
async function begin(id: string): Promise<void> {
  await api.db
    .updateTable('commands')
    .set({ status: 'executing' })
    .where('subject_id', '=', id)
    .where('kind', '<>', 'create')
    .execute();
  await api.moveTo(id, {});
}

async function seen(path: string): Promise<{ readonly tag: string; readonly answer: Answer }> {
  const answer = await api.call('GET', path);
  return { tag: answer.headers.get('etag') ?? '', answer };
}

test('a resource shows its version as its entity tag, ordered and read', async () => {
  const ordered = await api.order();
  expect(ordered.headers.get('etag')).toBe(`"${String(ordered.body['version'])}"`);
  const id = await api.paymentWith(authorizedState());
  const { tag, answer } = await seen(`/v1/payments/${id}`);
  expect(tag).toBe(`"${String(answer.body['version'])}"`);
  expect((await api.call('GET', `/v1/payments/${id}/timeline`)).headers.get('etag')).toBeNull();
});

describe('a read that names a version', () => {
  test('is answered while the resource has it, or any', async () => {
    const id = await api.paymentWith(authorizedState());
    const { tag } = await seen(`/v1/payments/${id}`);
    for (const ifMatch of [tag, '*', `"99", ${tag}`]) {
      const answer = await api.call('GET', `/v1/payments/${id}`, { headers: { 'if-match': ifMatch } });
      expect(answer.status, ifMatch).toBe(200);
    }
  });

  test('is refused with the version that there is', async () => {
    const id = await api.paymentWith(authorizedState());
    const { tag, answer } = await seen(`/v1/payments/${id}`);
    for (const ifMatch of ['"99"', `W/${tag}`, '"seven"']) {
      const refused = await api.call('GET', `/v1/payments/${id}`, { headers: { 'if-match': ifMatch } });
      expect([refused.status, refused.body['code'], refused.body['currentVersion']], ifMatch).toEqual([
        412,
        'version_mismatch',
        answer.body['version'],
      ]);
    }
  });

  test('is refused with the header that is no list of tags', async () => {
    const id = await api.paymentWith(authorizedState());
    for (const ifMatch of ['7', '"7" "8"', '"7']) {
      const refused = await api.call('GET', `/v1/payments/${id}`, { headers: { 'if-match': ifMatch } });
      expect(refused.status, ifMatch).toBe(400);
      expect(refused.body['errors'], ifMatch).toMatchObject([{ header: 'If-Match' }]);
    }
  });
});

describe('a version that is named where there is none', () => {
  test.each([
    ['POST', '/v1/payments'],
    ['POST', '/v1/payouts'],
    ['GET', '/v1/payments'],
    ['GET', '/v1/payments/{id}/timeline'],
    ['GET', '/v1/events'],
    ['POST', '/v1/notification-endpoints'],
    ['PATCH', '/v1/notification-endpoints/we_1'],
    ['POST', '/v1/codec-sessions'],
  ])('is refused, and nothing happens: %s %s', async (method, path) => {
    const id = await api.paymentWith(authorizedState());
    for (const ifMatch of ['"1"', '*']) {
      const answer = await api.call(method, path.replace('{id}', id), {
        headers: { 'if-match': ifMatch },
        ...(method === 'GET' ? {} : { body: {}, idempotencyKey: randomUUID() }),
      });
      expect([answer.status, answer.body['code']], ifMatch).toEqual([400, 'malformed_request']);
      expect(answer.body['errors']).toMatchObject([{ header: 'If-Match' }]);
    }
  });

  test('is told only to who may ask at all', async () => {
    const headers = { 'if-match': '"1"' };
    expect((await api.call('GET', '/v1/payments', { apiKey: null, headers })).status).toBe(401);
  });

  test('is named by the document for each operation that takes it, and by no other', async () => {
    const { body } = await api.call('GET', '/openapi.json', { apiKey: null });
    type Operation = { parameters?: { name: string }[]; responses: Record<string, object> };
    const paths = Object.entries(body['paths'] as Record<string, Record<string, Operation>>);
    for (const [path, methods] of paths.filter(([known]) => known.startsWith('/v1/')))
      for (const [method, { parameters = [], responses }] of Object.entries(methods)) {
        const isTaken = parameters.some(({ name }) => name === 'If-Match');
        expect(responses, `${method} ${path}`).toHaveProperty(isTaken ? '412' : '400');
      }
  });
});

describe('a command that names a version', () => {
  test('is accepted while the payment has it, and a repeat is answered from its key after that', async () => {
    const id = await api.paymentWith(authorizedState());
    const { tag } = await seen(`/v1/payments/${id}`);
    const key = randomUUID();
    expect((await capture(id, tag, { key })).status).toBe(202);
    await begin(id);
    expect((await seen(`/v1/payments/${id}`)).tag).not.toBe(tag);
    const again = await capture(id, tag, { key });
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([202, 'true']);
    expect(await commandsOf(id)).toHaveLength(1);
  });

  test('does nothing and keeps nothing once the payment has another one, so the key can be used again', async () => {
    const id = await api.paymentWith(authorizedState());
    const old = await seen(`/v1/payments/${id}`);
    await api.moveTo(id, {});
    const { tag, answer } = await seen(`/v1/payments/${id}`);
    const key = randomUUID();
    const refused = await capture(id, old.tag, { key });
    expect([refused.status, refused.body['code'], refused.body['currentVersion']]).toEqual([
      412,
      'version_mismatch',
      answer.body['version'],
    ]);
    expect(await commandsOf(id)).toEqual([]);
    expect((await capture(id, tag, { key })).status).toBe(202);
  });

  test('is one of two: they saw the same version, and the second is refused before the run has begun the first', async () => {
    const id = await api.paymentWith(authorizedState());
    const { tag } = await seen(`/v1/payments/${id}`);
    const answers = await Promise.all([
      capture(id, tag, { value: '60.00' }),
      capture(id, tag, { value: '50.00' }),
    ]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202, 412]));
    expect(await commandsOf(id)).toEqual([{ kind: 'capture', status: 'accepted' }]);
  });

  test('waits for a change that is being committed, and is refused by what it finds then', async () => {
    const id = await api.paymentWith(authorizedState());
    const { tag } = await seen(`/v1/payments/${id}`);
    const { promise: isHeld, resolve: hold } = Promise.withResolvers<void>();
    const { promise: isOver, resolve: end } = Promise.withResolvers<void>();
    const change = api.db.transaction().execute(async (trx) => {
      await trx
        .updateTable('payments')
        .set(({ eb }) => ({ version: eb('version', '+', 1), version_floor: eb('version', '+', 1) }))
        .where('id', '=', id)
        .execute();
      hold();
      await isOver;
    });
    await isHeld;
    const asked = capture(id, tag);
    await until(
      () => waitingForLocks(api.db),
      (waiting) => waiting > 0,
      'the command to wait for the row',
    );
    end();
    await change;
    expect((await asked).status).toBe(412);
    expect(await commandsOf(id)).toEqual([]);
  });

  test('is refused by the version before the state, and by the state where the version fits', async () => {
    const id = await api.paymentWith({ ...authorizedState(), status: 'captured' });
    const { tag } = await seen(`/v1/payments/${id}`);
    expect((await capture(id, '"99"')).status).toBe(412);
    expect((await capture(id, tag)).status).toBe(409);
  });

  test('can be a refund: the payment has its version, which the refund changes', async () => {
    const captures = [{ captureId: 'CAP-1', minor: 3_000, status: 'completed', final: false }] as const;
    const id = await api.paymentWith({ ...authorizedState(), status: 'partially_captured', captures });
    const { tag } = await seen(`/v1/payments/${id}`);
    const refund = async (ifMatch: string) =>
      await api.call('POST', `/v1/payments/${id}/refunds`, {
        idempotencyKey: randomUUID(),
        body: { amount: { value: '1.00', currency: 'USD' } },
        headers: { 'if-match': ifMatch },
      });
    const answers = await Promise.all([refund(tag), refund(tag)]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202, 412]));
    expect((await refund((await seen(`/v1/payments/${id}`)).tag)).status).toBe(202);
  });

  test('can be about a plan: another version, and nothing is ordered', async () => {
    const plan = {
      name: 'Magazine',
      description: 'Monthly',
      currency: 'USD',
      regular: { frequency: 'MONTH', cycles: 12, amount: '10.00' },
    };
    const { body } = await api.call('POST', '/v1/plans', { body: plan, idempotencyKey: randomUUID() });
    const id = String(body['id']);
    await api.db.updateTable('plans').set({ status: 'active' }).where('id', '=', id).execute();
    const deactivate = async (ifMatch: string) =>
      await api.call('POST', `/v1/plans/${id}/deactivate`, {
        idempotencyKey: randomUUID(),
        headers: { 'if-match': ifMatch },
      });
    expect((await deactivate('"99"')).body).toMatchObject({ status: 412, currentVersion: body['version'] });
    expect(await commandsOf(id)).toEqual([]);
  });
});
