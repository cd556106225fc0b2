import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { bodyHash } from '#api/commands/idempotency.js';
import { forAllTests } from '../helpers/shared.js';
import { until } from '../helpers/until.js';
import { ApiFixture, authorizedState, useTemporal, signalsOf } from './api-fixture.js';

const api = forAllTests(() => ApiFixture.start());
const temporal = useTemporal();

const capture = (id: string, idempotencyKey: string = randomUUID()) =>
  api.call('POST', `/v1/payments/${id}/captures`, { body: {}, idempotencyKey });

/** A capture of everything that is left, as the API accepts it. */
const commandOf = (id: string, key: string) => ({
  id: `cmd_${randomUUID()}`,
  environment: 'sandbox' as const,
  application: 'shop',
  idempotency_key: key,
  body_hash: bodyHash({}),
  kind: 'capture' as const,
  subject_id: id,
  parameters: '{}',
  status: 'accepted' as const,
  result: null,
  requested_by: 'api-key:shop',
});

describe('a capture', () => {
  test('that was refused stays refused under its key, even when a copy comes at a time when it would be accepted', async () => {
    const id = await api.paymentWith({ ...authorizedState(), status: 'capturing' });
    const key = randomUUID();
    const first = await capture(id, key);
    expect(first).toMatchObject({ status: 409, body: { code: 'not_allowed_in_state' } });
    await api.moveTo(id, authorizedState());
    const copy = await capture(id, key);
    expect(copy).toMatchObject({ status: 409, body: { detail: first.body['detail'] } });
    expect(await signalsOf(temporal, id)).toEqual([]);
    expect((await capture(id)).status).toBe(202);
  });

  test('under the key of an earlier one is another request, also when it would not fit its payment', async () => {
    const id = await api.paymentWith(authorizedState());
    const key = randomUUID();
    expect((await capture(id, key)).status).toBe(202);
    const amount = { value: '1', currency: 'JPY' };
    const ofAnotherCurrency = (idempotencyKey: string) =>
      api.call('POST', `/v1/payments/${id}/captures`, { body: { amount }, idempotencyKey });
    expect((await ofAnotherCurrency(key)).status).toBe(409);
    expect((await ofAnotherCurrency(randomUUID())).status).toBe(422);
  });

  test('is not refused while an earlier copy of it is being accepted', async () => {
    const id = await api.paymentWith({ ...authorizedState(), status: 'capturing' });
    const key = randomUUID();
    const isInserted = Promise.withResolvers<void>();
    const commit = Promise.withResolvers<void>();
    const earlier = api.db.transaction().execute(async (trx) => {
      await trx.insertInto('commands').values(commandOf(id, key)).execute();
      isInserted.resolve();
      await commit.promise;
    });
    await isInserted.promise;
    const copy = capture(id, key);
    await until(
      async () => await sql<object>`select from pg_locks where not granted`.execute(api.db),
      ({ rows }) => rows.length > 0,
      'the copy to wait for the earlier one',
    );
    commit.resolve();
    await earlier;
    expect((await copy).status).toBe(202);
    const commands = api.db.selectFrom('commands').select('status').where('idempotency_key', '=', key);
    expect(await commands.execute()).toEqual([{ status: 'accepted' }]);
  });
});
