import { describe, expect, it } from 'vitest';
import { forEachTest } from '../../helpers/shared.js';
import { SandboxFixture } from '../sandbox-fixture.js';

describe('a poisoned idempotency key', () => {
  const sandbox = forEachTest(() => SandboxFixture.start());

  it('gets the same failure each time, and a new key works', async () => {
    const { authorizationId, paymentId } = await sandbox.authorized();
    await sandbox.switchOnFault({ operation: 'authorization.void', kind: 'poison', status: 503 });
    const first = await sandbox.void(authorizationId, key('poisoned'));
    expect(first).toMatchObject({ status: 503, body: { name: 'SERVICE_UNAVAILABLE' } });
    for (let repeat = 0; repeat < 3; repeat += 1) {
      const again = await sandbox.void(authorizationId, key('poisoned'));
      expect(again).toMatchObject({ status: 503, body: first.body });
    }
    expect(await sandbox.booksOf(paymentId)).toEqual(['hold 10000']);
    expect((await sandbox.void(authorizationId, key('fresh'))).body.state).toBe('voided');
    expect((await sandbox.void(authorizationId, key('poisoned'))).status).toBe(503);
    expect(await sandbox.booksOf(paymentId)).toEqual(['hold 10000', 'release 10000']);
  });

  it('stays poisoned over a restart', async () => {
    const { authorizationId } = await sandbox.authorized();
    await sandbox.switchOnFault({ operation: 'authorization.void', kind: 'poison' });
    expect((await sandbox.void(authorizationId, key('poisoned'))).status).toBe(500);
    await sandbox.restart();
    expect((await sandbox.void(authorizationId, key('poisoned'))).status).toBe(500);
    expect((await sandbox.void(authorizationId)).status).toBe(200);
  });

  it('fails under the name that is asked for, with its own status or another', async () => {
    const { authorizationId } = await sandbox.authorized();
    const poison = { operation: 'authorization.void', kind: 'poison', name: 'INSTRUMENT_DECLINED' };
    await sandbox.switchOnFault(poison);
    const declined = await sandbox.void(authorizationId, key('declined'));
    expect(declined).toMatchObject({ status: 400, body: { name: 'INSTRUMENT_DECLINED' } });
    await sandbox.switchOnFault({ ...poison, status: 422 });
    expect((await sandbox.void(authorizationId, key('refused'))).status).toBe(422);
  });

  it('is forgotten at once when the request id is not honoured, and kept when the application is configured so', async () => {
    const { authorizationId, paymentId } = await sandbox.authorized();
    const poison = { operation: 'authorization.capture', kind: 'poison' };
    await sandbox.switchOnFault(poison);
    expect((await sandbox.capture(authorizationId, '10.00', {}, key('one'))).status).toBe(500);
    expect((await sandbox.capture(authorizationId, '10.00', {}, key('one'))).status).toBe(201);
    await sandbox.configure({ idempotency: 'all' });
    await sandbox.switchOnFault(poison);
    expect((await sandbox.capture(authorizationId, '20.00', {}, key('two'))).status).toBe(500);
    expect((await sandbox.capture(authorizationId, '20.00', {}, key('two'))).status).toBe(500);
    expect(await sandbox.booksOf(paymentId)).toEqual(['hold 10000', 'capture 1000']);
  });

  it('refuses a call without a key once', async () => {
    const { authorizationId } = await sandbox.authorized();
    await sandbox.switchOnFault({ operation: 'authorization.void', kind: 'poison' });
    expect((await sandbox.void(authorizationId)).status).toBe(500);
    expect((await sandbox.void(authorizationId)).status).toBe(200);
  });

  it('ignores calls whose keys nobody keeps when it is set for every operation', async () => {
    await sandbox.switchOnFault({ operation: '*', kind: 'poison', status: 500 });
    expect((await sandbox.call('GET', '/v1/payments/payment')).status).toBe(200);
    expect((await sandbox.createPayment()).status).toBe(500);
  });
});

const key = (id: string) => ({ 'PayPal-Request-Id': id });
