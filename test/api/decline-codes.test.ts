import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { recordCalls } from '#database/calls';
import { forAllTests } from '../helpers/shared.js';
import { usd } from '../helpers/usd.js';
import { ApiFixture, authorizedState } from './api-fixture.js';

const api = forAllTests(() => ApiFixture.start());

/** Asks for a change of a payment; always the same under its key. */
async function ask(id: string, route: 'captures' | 'void', key: string) {
  const body = route === 'captures' ? { amount: usd('40.00') } : {};
  return await api.call('POST', `/v1/payments/${id}/${route}`, { body, idempotencyKey: key });
}

/** Gives the command of a key its attempt, with the provider's refusal, and ends it. */
async function refuse(key: string, providerCode: string): Promise<void> {
  const { id, subject_id } = await api.db
    .selectFrom('commands')
    .select(['id', 'subject_id'])
    .where('idempotency_key', '=', key)
    .executeTakeFirstOrThrow();
  const requestId = randomUUID();
  await api.db
    .insertInto('attempts')
    .values({
      subject_id,
      step_name: id,
      attempt_number: 0,
      step: JSON.stringify({ type: 'voidAuthorization', commandId: id }),
      request_id: requestId,
      reference: requestId,
      begun_at: new Date(),
      send_by: new Date(),
    })
    .execute();
  await recordCalls(api.db, { environment: 'sandbox', application: 'shop', id: subject_id }, [
    {
      operation: 'authorizations.void',
      method: 'POST',
      path: '/v1/payments/authorization/A/void',
      status: 400,
      requestId,
      debugId: `debug-${providerCode}`,
      startedAt: new Date(),
      durationMs: 5,
      response: { name: providerCode },
    },
  ]);
  await fail(key, 'provider_refused');
}

async function fail(key: string, code: string): Promise<void> {
  await api.db
    .updateTable('commands')
    .set({ status: 'failed', result: JSON.stringify({ code, reason: 'no' }) })
    .where('idempotency_key', '=', key)
    .execute();
}

test('a 402 keeps its provider code when another request of the payment is refused later', async () => {
  const id = await api.paymentWith(authorizedState());
  const [first, second] = [randomUUID(), randomUUID()];
  await ask(id, 'captures', first);
  await refuse(first, 'INSTRUMENT_DECLINED');
  const told = await ask(id, 'captures', first);
  expect(told).toMatchObject({
    status: 402,
    body: { providerCode: 'INSTRUMENT_DECLINED', providerDebugId: 'debug-INSTRUMENT_DECLINED' },
  });

  await ask(id, 'void', second);
  await refuse(second, 'AUTHORIZATION_ALREADY_COMPLETED');
  const { requestId: _ofEach, ...kept } = told.body;
  expect((await ask(id, 'captures', first)).body).toMatchObject(kept);
  expect((await ask(id, 'void', second)).body).toMatchObject({
    providerCode: 'AUTHORIZATION_ALREADY_COMPLETED',
  });
});

test('a request that was given up without an answer has no provider code', async () => {
  const id = await api.paymentWith(authorizedState());
  const [first, second] = [randomUUID(), randomUUID()];
  await ask(id, 'captures', first);
  await refuse(first, 'INSTRUMENT_DECLINED');
  await ask(id, 'void', second);
  await fail(second, 'provider_unavailable');
  const told = await ask(id, 'void', second);
  expect(told.status).toBe(402);
  expect(told.body).not.toHaveProperty('providerCode');
});
