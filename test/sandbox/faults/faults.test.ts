import { describe, expect, it } from 'vitest';
import { forEachTest } from '../../helpers/shared.js';
import { eventually, SandboxFixture } from '../sandbox-fixture.js';

describe('faults', () => {
  const sandbox = forEachTest(() => SandboxFixture.start());

  it('1: carry the call out and drop the reply', async () => {
    const { authorizationId, paymentId } = await sandbox.authorized();
    await sandbox.switchOnFault({ operation: 'authorization.capture', kind: 'drop_reply' });
    await expect(sandbox.capture(authorizationId, '100.00')).rejects.toThrow('fetch failed');
    expect(await sandbox.booksOf(paymentId)).toEqual(['hold 10000', 'capture 10000']);
    expect((await sandbox.capture(authorizationId, '100.00')).body.name).toBe(
      'AUTHORIZATION_ALREADY_COMPLETED',
    );
  });

  it('1: execute late, once, even if the caller has disconnected', async () => {
    const { authorizationId, paymentId } = await sandbox.authorized();
    const late = { kind: 'late', delayMs: 60_000, executeAfterMs: 700 };
    await sandbox.switchOnFault({ operation: 'authorization.capture', ...late });
    await sandbox.abandon(`/v1/payments/authorization/${authorizationId}/capture`, {
      amount: { total: '100.00', currency: 'USD' },
    });
    await eventually(() => sandbox.booksOf(paymentId)).toEqual(['hold 10000', 'capture 10000']);
    const { calls } = (await sandbox.request('GET', '/admin/calls?inflight=true')).body;
    expect(calls).toMatchObject([{ operation: 'authorization.capture', status: null, fault: 'late' }]);
    const capture = (await sandbox.movements(paymentId)).at(-1)!;
    const executedAfterMs = Date.parse(capture.createdAt) - Date.parse(calls[0].startedAt);
    expect(executedAfterMs).toBeGreaterThanOrEqual(699);
  });

  it('answer late with the result of that moment', async () => {
    const { authorizationId } = await sandbox.authorized();
    await sandbox.switchOnFault({
      operation: 'authorization.void',
      kind: 'late',
      delayMs: 300,
      executeAfterMs: 100,
    });
    expect((await sandbox.void(authorizationId)).body.state).toBe('voided');
  });

  it('end with the service: a call that has not run then never runs', async () => {
    const { authorizationId, paymentId } = await sandbox.authorized();
    await sandbox.switchOnFault({ operation: 'authorization.capture', kind: 'late', executeAfterMs: 60_000 });
    const call = sandbox.capture(authorizationId, '100.00');
    await eventually(
      async () => (await sandbox.request('GET', '/admin/calls?inflight=true')).body.calls,
    ).toHaveLength(1);
    await sandbox.restart();
    expect((await call).status).toBe(503);
    expect(await sandbox.booksOf(paymentId)).toEqual(['hold 10000']);
  });

  it.each([
    [429, 'RATE_LIMIT_REACHED', 7],
    [401, 'AUTHENTICATION_FAILURE', undefined],
    [500, 'INTERNAL_SERVER_ERROR', undefined],
    [503, 'SERVICE_UNAVAILABLE', 1],
  ])('5: refuse with %i before anything is done', async (status, name, retryAfter) => {
    const { authorizationId, paymentId } = await sandbox.authorized();
    await sandbox.switchOnFault({ operation: 'authorization.capture', kind: 'status', status, retryAfter });
    const refused = await sandbox.capture(authorizationId, '100.00');
    expect(refused).toMatchObject({ status, body: { name, debug_id: expect.any(String) } });
    expect(refused.headers.get('retry-after')).toBe(retryAfter === undefined ? null : String(retryAfter));
    expect(await sandbox.booksOf(paymentId)).toEqual(['hold 10000']);
    expect((await sandbox.capture(authorizationId, '100.00')).status).toBe(201);
  });

  it.each(['html', 'truncated'])('5: carry the call out and answer garbage: %s', async (body) => {
    const { authorizationId, paymentId } = await sandbox.authorized();
    await sandbox.switchOnFault({ operation: 'authorization.capture', kind: 'garbage', body });
    const token = await sandbox.newToken();
    const response = await fetch(`${sandbox.url}/v1/payments/authorization/${authorizationId}/capture`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ amount: { total: '100.00', currency: 'USD' } }),
    });
    expect(response.status).toBe(201);
    await expect(response.json()).rejects.toThrow();
    expect(await sandbox.booksOf(paymentId)).toEqual(['hold 10000', 'capture 10000']);
  });

  it('6: affect the token exchange, too', async () => {
    await sandbox.switchOnFault({ operation: 'token', clientId: 'shop', kind: 'status', status: 503 });
    expect((await sandbox.exchange('shop', 'shop-secret')).status).toBe(503);
    expect((await sandbox.exchange('shop', 'shop-secret')).status).toBe(200);
  });

  it('affect the nth call, a given number of times, of one application and operation only', async () => {
    await sandbox.request('PUT', '/admin/applications/other', { clientSecret: 'other' });
    const other = { authorization: `Bearer ${await sandbox.newToken('other', 'other')}` };
    await sandbox.switchOnFault({
      clientId: 'shop',
      operation: 'payment.list',
      kind: 'status',
      status: 500,
      nth: 2,
      times: 2,
    });
    const list = async (headers = {}) =>
      (await sandbox.call('GET', '/v1/payments/payment', undefined, headers)).status;
    expect(await list(other)).toBe(200);
    const statuses = [];
    for (let count = 0; count < 5; count += 1) statuses.push(await list());
    expect(statuses).toEqual([200, 500, 500, 200, 200]);
    expect((await sandbox.call('GET', '/v1/notifications/webhooks')).status).toBe(200);
  });

  it('affect exactly the given number of calls when calls come at the same moment', async () => {
    await sandbox.createPayment();
    await sandbox.switchOnFault({ operation: '*', kind: 'status', status: 503, times: 5 });
    const answers = await Promise.all(Array.from({ length: 20 }, () => sandbox.createPayment()));
    expect(answers.filter(({ status }) => status === 503)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(15);
  });

  it('affect the same calls of a sequence for the same seed', async () => {
    const first = await drawnSequence(sandbox);
    expect(await drawnSequence(sandbox)).toEqual(first);
    expect(new Set(first)).toEqual(new Set([200, 500]));
  });

  it('survive a restart, until they are switched off', async () => {
    await sandbox.switchOnFault({ operation: 'payment.list', kind: 'status', status: 500, times: null });
    await sandbox.restart();
    expect((await sandbox.call('GET', '/v1/payments/payment')).status).toBe(500);
    expect((await sandbox.request('DELETE', '/admin/faults')).status).toBe(204);
    expect((await sandbox.call('GET', '/v1/payments/payment')).status).toBe(200);
    expect((await sandbox.request('GET', '/admin/faults')).body).toEqual({ faults: [] });
  });

  it.each([
    [{ kind: 'explode' }, 'kind'],
    [{ kind: 'delay' }, 'delayMs'],
    [{ kind: 'status', status: 200 }, 'status'],
    [{ kind: 'drop_reply', operation: 'nothing' }, 'operation'],
    [{ kind: 'drop_reply', colour: 'red' }, 'colour'],
  ])('are refused when they are invalid: %j', async (fault, field) => {
    const { status, body } = await sandbox.request('POST', '/admin/faults', fault);
    expect(status).toBe(400);
    expect(body.details[0].field).toBe(field);
  });

  it('decline a capture: the funds stay held', async () => {
    const { authorizationId, paymentId } = await sandbox.authorized();
    await sandbox.switchOnFault({ operation: 'authorization.capture', kind: 'decline' });
    expect((await sandbox.capture(authorizationId, '100.00')).body.name).toBe('INSTRUMENT_DECLINED');
    expect(await sandbox.booksOf(paymentId)).toEqual(['hold 10000']);
  });

  it('16: leave one capture pending and deny it later', async () => {
    const { authorizationId, paymentId } = await sandbox.authorized();
    const pending = { kind: 'pending', settlesAs: 'denied', afterMs: 50 };
    await sandbox.switchOnFault({ operation: 'authorization.capture', ...pending });
    const { body } = await sandbox.capture(authorizationId, '100.00');
    expect(body.state).toBe('pending');
    const stateNow = async () => (await sandbox.call('GET', `/v1/payments/capture/${body.id}`)).body.state;
    await eventually(stateNow).toBe('denied');
    expect(await sandbox.booksOf(paymentId)).toEqual(['hold 10000']);
  });
});

async function drawnSequence(sandbox: SandboxFixture): Promise<number[]> {
  await sandbox.request('DELETE', '/admin/faults');
  const target = { operation: 'payment.list', times: null, probability: 0.5, seed: 42 };
  await sandbox.switchOnFault({ ...target, kind: 'status', status: 500 });
  const statuses: number[] = [];
  for (let count = 0; count < 20; count += 1) {
    statuses.push((await sandbox.call('GET', '/v1/payments/payment')).status);
  }
  return statuses;
}
