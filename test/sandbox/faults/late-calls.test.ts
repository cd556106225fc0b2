import { describe, expect, it } from 'vitest';
import { forEachTest } from '../../helpers/shared.js';
import { eventually, PAYER_ID, SandboxFixture } from '../sandbox-fixture.js';

describe('a call that is executed late', () => {
  const sandbox = forEachTest(() => SandboxFixture.start());

  /** So late that a starved machine has asked again before. */
  const late = { kind: 'late', delayMs: 2_500, executeAfterMs: 2_000 };
  const key = { 'PayPal-Request-Id': 'one-key' };

  it('gets the answer that a repeat with its key got before it', async () => {
    const { authorizationId, paymentId } = await sandbox.authorized();
    await sandbox.switchOnFault({ operation: 'authorization.void', ...late });
    const first = sandbox.void(authorizationId, key);
    await eventually(async () => (await sandbox.request('GET', '/admin/calls?inflight=true')).body.calls)
      // The repeat must not be the one that is late.
      .toMatchObject([{ fault: 'late' }]);
    const repeat = await sandbox.void(authorizationId, key);
    expect(repeat.status).toBe(200);
    expect((await first).body).toEqual(repeat.body);
    expect(await sandbox.booksOf(paymentId)).toEqual(['hold 10000', 'release 10000']);
  });

  it('is executed once, however many repeats with its key come at that moment', async () => {
    const created = await sandbox.createPayment();
    const { id } = created.body;
    await sandbox.approve(id);
    await sandbox.switchOnFault({ operation: 'payment.execute', ...late, times: 8 });
    const answers = await Promise.all(Array.from({ length: 8 }, () => sandbox.execute(id, key)));
    const done = answers.filter(({ status }) => status === 200);
    expect(done.length).toBeGreaterThan(0);
    for (const { body } of done) expect(body).toEqual(done[0]!.body);
    for (const { status, body } of answers)
      if (status !== 200) expect([status, body.name]).toEqual([409, 'RESOURCE_CONFLICT']);
    expect(await sandbox.booksOf(id)).toEqual(['hold 10000']);
  });

  it('is refused when another call has done the same meanwhile without a key', async () => {
    const { authorizationId, paymentId } = await sandbox.authorized();
    await sandbox.switchOnFault({ operation: 'authorization.capture', ...late });
    const first = sandbox.capture(authorizationId, '100.00');
    await eventually(
      async () => (await sandbox.request('GET', '/admin/calls?inflight=true')).body.calls,
    ).toMatchObject([{ fault: 'late' }]);
    expect((await sandbox.capture(authorizationId, '100.00')).status).toBe(201);
    expect((await first).body.name).toBe('AUTHORIZATION_ALREADY_COMPLETED');
    expect(await sandbox.booksOf(paymentId)).toEqual(['hold 10000', 'capture 10000']);
  });

  it('uses its token as it was when it came, even if it is revoked meanwhile', async () => {
    const created = await sandbox.createPayment();
    await sandbox.approve(created.body.id);
    await sandbox.switchOnFault({ operation: 'payment.execute', ...late });
    const token = await sandbox.newToken();
    const call = sandbox.request(
      'POST',
      `/v1/payments/payment/${created.body.id}/execute`,
      { payer_id: PAYER_ID },
      { authorization: `Bearer ${token}` },
    );
    await eventually(
      async () => (await sandbox.request('GET', '/admin/calls?inflight=true')).body.calls,
    ).toMatchObject([{ fault: 'late' }]);
    await sandbox.request('DELETE', '/admin/applications/shop/tokens');
    expect((await call).status).toBe(200);
  });
});
