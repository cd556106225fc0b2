import { describe, expect, it } from 'vitest';
import { forEachTest } from '../../helpers/shared.js';
import { SandboxFixture } from '../sandbox-fixture.js';

describe('an altered answer', () => {
  const sandbox = forEachTest(() => SandboxFixture.start());

  const getPayment = async (id: string) => (await sandbox.call('GET', `/v1/payments/payment/${id}`)).body;
  const rawCapture = async (authorizationId: string) =>
    fetch(`${sandbox.url}/v1/payments/authorization/${authorizationId}/capture`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${await sandbox.newToken()}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ amount: { total: '100.00', currency: 'USD' } }),
    });

  it('has unknown states at every depth, although the operation is done', async () => {
    const { authorizationId, paymentId } = await sandbox.authorized();
    await sandbox.switchOnFault({ operation: 'authorization.capture', kind: 'unknown_enum' });
    const { status, body } = await sandbox.capture(authorizationId, '100.00');
    expect([status, body.state]).toEqual([201, 'undocumented_state']);
    expect(await sandbox.booksOf(paymentId)).toEqual(['hold 10000', 'capture 10000']);

    await sandbox.switchOnFault({ operation: 'payment.get', kind: 'unknown_enum' });
    const strange = await getPayment(paymentId);
    expect(strange.state).toBe('undocumented_state');
    expect(strange.transactions[0].related_resources[0].authorization.state).toBe('undocumented_state');
    expect((await getPayment(paymentId)).state).toBe('approved');
  });

  it('has an unknown value exactly where a path leads', async () => {
    const { paymentId } = await sandbox.authorized();
    const field = 'transactions[].related_resources[0].authorization.state';
    await sandbox.switchOnFault({ operation: 'payment.get', kind: 'unknown_enum', field, value: 'ON_MARS' });
    const strange = await getPayment(paymentId);
    expect(strange.state).toBe('approved');
    expect(strange.transactions[0].related_resources[0].authorization.state).toBe('ON_MARS');

    await sandbox.switchOnFault({ operation: 'payment.get', kind: 'unknown_enum', field: 'intent' });
    expect((await getPayment(paymentId)).intent).toBe('undocumented_state');
    await sandbox.switchOnFault({
      operation: 'payment.get',
      kind: 'unknown_enum',
      field: 'no.such[3].field',
    });
    expect((await getPayment(paymentId)).state).toBe('approved');
  });

  it('lacks fields, and has others that nobody documented', async () => {
    const { paymentId } = await sandbox.authorized();
    await sandbox.switchOnFault({
      operation: 'payment.get',
      kind: 'reshape',
      remove: ['id', 'transactions[].amount.currency', 'links[0]'],
      add: { surprise: { deep: [1, null] }, 'transactions[].amount.colour': 'red', state: 7 },
    });
    const plain = await sandbox.call('GET', `/v1/payments/payment/${paymentId}`);
    const whole = await getPayment(paymentId);
    expect(plain.body).not.toHaveProperty('id');
    expect(plain.body.transactions[0].amount).toEqual({
      ...whole.transactions[0].amount,
      currency: undefined,
      colour: 'red',
    });
    expect(plain.body).toMatchObject({ surprise: { deep: [1, null] }, state: 7 });
    expect(plain.body.links).toEqual(whole.links.slice(1));
  });

  it('makes a list longer by no more than what is added to it', async () => {
    const { paymentId } = await sandbox.authorized();
    const { links } = await getPayment(paymentId);
    const add = { 'links[999]': 'last', 'links[998]': 'later', 'links[].rel': 'same' };
    await sandbox.switchOnFault({ operation: 'payment.get', kind: 'reshape', add });
    const relabelled = links.map((link: object) => ({ ...link, rel: 'same' }));
    expect((await getPayment(paymentId)).links).toEqual([...relabelled, 'last', 'later']);
  });

  it('has additions everywhere in the real answer, and none inside additions', async () => {
    const { paymentId } = await sandbox.authorized();
    const whole = await getPayment(paymentId);
    const names = Array.from('abcdefghijklmnopqrst', (name) => `new_${name}`);
    const add = Object.fromEntries(names.map((name) => [`**.${name}`, {}]));
    await sandbox.switchOnFault({ operation: 'payment.get', kind: 'reshape', add });
    const altered = await getPayment(paymentId);
    const put = Object.fromEntries(names.map((name) => [name, {}]));
    expect(altered).toMatchObject({
      ...put,
      links: whole.links.map((link: object) => ({ ...link, ...put })),
    });
    expect(altered.new_a).toEqual({});
  });

  it.each([
    [{ body: 'html', status: 200, contentType: 'text/html; charset=utf-8' }, 200, 'text/html; charset=utf-8'],
    [{ body: 'truncated' }, 201, 'application/json; charset=utf-8'],
    [{ body: 'empty', status: 502 }, 502, 'application/json; charset=utf-8'],
    [{ body: 'html', contentType: 'application/json' }, 201, 'application/json'],
  ])('is not JSON: %j', async (garbage, status, contentType) => {
    const { authorizationId, paymentId } = await sandbox.authorized();
    await sandbox.switchOnFault({ operation: 'authorization.capture', kind: 'garbage', ...garbage });
    const answer = await rawCapture(authorizationId);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([status, contentType]);
    await expect(answer.json()).rejects.toThrow();
    expect(await sandbox.booksOf(paymentId)).toEqual(['hold 10000', 'capture 10000']);
  });

  it('is the JSON of a gateway, and the call was carried out', async () => {
    const { authorizationId, paymentId } = await sandbox.authorized();
    const garbage = { kind: 'garbage', body: 'gateway_json', status: 429 };
    await sandbox.switchOnFault({ operation: 'authorization.capture', ...garbage });
    const answer = await rawCapture(authorizationId);
    expect(answer.status).toBe(429);
    expect(await answer.json()).toMatchObject({ error: 'request_blocked' });
    expect(await sandbox.booksOf(paymentId)).toEqual(['hold 10000', 'capture 10000']);
  });

  it('comes slowly, and complete in the end', async () => {
    const { authorizationId } = await sandbox.authorized();
    const drip = { kind: 'drip', chunkBytes: 64, everyMs: 5 };
    await sandbox.switchOnFault({ operation: 'authorization.capture', ...drip });
    const answer = await rawCapture(authorizationId);
    const parts: Uint8Array[] = [];
    for await (const part of answer.body!) parts.push(part);
    expect(parts.length).toBeGreaterThan(3);
    expect(JSON.parse(Buffer.concat(parts).toString())).toMatchObject({ state: 'completed' });
  });

  it('that comes slowly does not stop the service from closing, and ends unfinished', async () => {
    const { authorizationId, paymentId } = await sandbox.authorized();
    const drip = { kind: 'drip', chunkBytes: 1, everyMs: 60_000 };
    await sandbox.switchOnFault({ operation: 'authorization.capture', ...drip });
    const answer = await rawCapture(authorizationId);
    const body = expect(answer.text()).rejects.toThrow();
    await sandbox.restart();
    await body;
    expect(await sandbox.booksOf(paymentId)).toEqual(['hold 10000', 'capture 10000']);
  });
});
