import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startEngine } from '../helpers/engine.js';
import { forAllTests } from '../helpers/shared.js';
import { until } from '../helpers/until.js';

/** 29 of them are over in a quarter of a minute. */
const dayLengthMs = 500;
/** For what takes many looks before the window closes, and longer on a slow machine. */
const patientDayMs = 1_500;
const settings = { approval: 'immediate', reauthorizationId: 'same', reauthorizationTimes: 'many' };

const engine = forAllTests(() => startEngine({ dayLengthMs, approval: 'immediate' }));
beforeAll(async () => {
  await engine.sandbox.configure({ ...settings, dayLengthMs });
});
afterEach(async () => {
  await engine.sandbox.clearFaults();
  await engine.sandbox.configure({ ...settings, dayLengthMs });
});

/** Its honour period is over, and no policy acts on it. */
async function agedHold(): Promise<string> {
  const { body } = await engine.orders.order({
    expiryPolicy: { action: 'expire' },
    honourPolicy: { action: 'none' },
  });
  await until(
    () => engine.orders.get(body.id),
    ({ allowedActions }) => allowedActions.includes('reauthorize'),
    'the end of the honour period',
  );
  return body.id;
}

async function outcomesOf(id: string): Promise<(string | null)[]> {
  const attempts = await engine.db
    .selectFrom('attempts')
    .select('outcome')
    .where('subject_id', '=', id)
    .where('step', '@>', JSON.stringify({ type: 'reauthorizeAuthorization' }) as never)
    .orderBy('id')
    .execute();
  return attempts.map(({ outcome }) => outcome);
}

/** By the account's owner, through the provider's own API. */
async function reauthorizeElsewhere(id: string, total: string): Promise<void> {
  const { url, clientId, clientSecret } = engine.sandbox;
  const { state } = await engine.db
    .selectFrom('payments')
    .select('state')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
  const exchange = await fetch(`${url}/v1/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  const { access_token: token } = (await exchange.json()) as { access_token: string };
  const hold = `${url}/v1/payments/authorization/${state.authorization?.authorizationId}`;
  const reauthorized = await fetch(`${hold}/reauthorize`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ amount: { total, currency: 'USD' } }),
  });
  expect(reauthorized.status).toBe(201);
}

const once = ['hold 10000', 'release 10000', 'hold 10000'];

describe('a hold that is reauthorized under its own id', () => {
  it('is not requested while the hold cannot be read, and is then found when its answer is lost', async () => {
    await engine.sandbox.configure({ ...settings, dayLengthMs: patientDayMs });
    const id = await agedHold();
    await engine.sandbox.configure({ ...settings, dayLengthMs: 5_000 });
    await engine.sandbox.fault({ kind: 'status', operation: 'payment.get', status: 503, times: 6 });
    await engine.sandbox.fault({ kind: 'drop_reply', operation: 'authorization.reauthorize', times: 1 });
    const { status, body } = await engine.orders.reauthorize(id);
    expect({ status, state: body.state }).toEqual({ status: 200, state: 'authorized' });
    expect(await outcomesOf(id)).toContain('deferred');
    expect(await engine.sandbox.booksOf(id)).toEqual(once);
  });

  it('is found late, even if the repeat is refused as too soon', async () => {
    await engine.sandbox.configure({ ...settings, dayLengthMs: patientDayMs });
    const id = await agedHold();
    await engine.sandbox.configure({ ...settings, dayLengthMs: 5_000 });
    // Done, and neither the answer nor a read tells of it until the horizon has passed.
    await engine.sandbox.fault({
      kind: 'garbage',
      operation: 'authorization.reauthorize',
      body: 'html',
      status: 500,
    });
    await engine.sandbox.fault({ kind: 'stale_read', operation: 'payment.get', lagMs: 6_500, times: null });
    const asking = engine.orders.reauthorize(id);
    await until(
      () => outcomesOf(id),
      ([first]) => first !== undefined && first !== null && first !== 'unknown',
      'the end of the doubt',
    );
    await engine.sandbox.clearFaults();
    const { status, body } = await asking;
    expect({ status, state: body.state }).toEqual({ status: 200, state: 'authorized' });
    expect(await engine.sandbox.booksOf(id)).toEqual(once);
  });

  it('by somebody else, with another amount, is followed to its end', async () => {
    const id = await agedHold();
    await reauthorizeElsewhere(id, '110.00');
    const { amounts } = await until(
      () => engine.orders.get(id),
      (payment) => payment.amounts.authorized.value === '110.00',
      'the other amount',
    );
    expect(amounts).toMatchObject({ authorized: { value: '110.00' }, capturable: { value: '100.00' } });
    expect((await engine.orders.reaches(id, 'expired')).amounts.released.value).toBe('110.00');
    const { data: entries } = await engine.orders.read<{ data: { kind: string }[] }>(
      `/v1/payments/${id}/timeline`,
    );
    expect(entries.filter(({ kind }) => kind === 'conflict')).toEqual([]);
    // The provider lets it go by a clock of its own.
    const books = await until(
      () => engine.sandbox.booksOf(id),
      ({ length }) => length > 3,
      'the hold to be let go',
    );
    expect(books).toEqual(['hold 10000', 'release 10000', 'hold 11000', 'release 11000']);
  });
});
