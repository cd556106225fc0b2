import { describe, expect, it } from 'vitest';
import { forAllTests } from '../helpers/shared.js';
import { SandboxFixture } from './sandbox-fixture.js';

describe('the admin API', () => {
  const sandbox = forAllTests(() => SandboxFixture.start({ adminToken: 'operator-token' }));

  const admin = (method: string, path: string, body?: unknown) =>
    sandbox.request(method, path, body, { authorization: 'Bearer operator-token' });

  const put = (body: object) => admin('PUT', '/admin/applications/another', body);

  it('needs its token where one is set', async () => {
    for (const headers of [{}, { authorization: 'Bearer wrong' }, { authorization: 'Bearer ' }]) {
      expect((await sandbox.request('GET', '/admin/faults', undefined, headers)).status).toBe(401);
    }
    expect((await admin('GET', '/admin/faults')).status).toBe(200);
  });

  it('acts as the payer: approve and cancel answer with the order’s addresses', async () => {
    const { body: created } = await sandbox.createPayment();
    const cancelled = await admin('POST', `/admin/payments/${created.id}/cancel`);
    expect(cancelled.body.redirectUrl).toContain('/cancel?token=EC-');
    const approved = await admin('POST', `/admin/payments/${created.id}/approve`);
    expect(approved.body.redirectUrl).toContain(`paymentId=${created.id}`);
    expect((await admin('POST', `/admin/payments/${created.id}/cancel`)).status).toBe(409);
    expect((await admin('POST', '/admin/payments/PAY-NONE/approve')).status).toBe(404);
  });

  it('lists the calls that ended, even from before a restart, without any secret', async () => {
    const created = await sandbox.call(
      'POST',
      '/v1/payments/payment?secret=1',
      {},
      { 'paypal-request-id': 'key-9' },
    );
    expect(created.status).toBe(400);
    await sandbox.restart();
    const { body } = await admin('GET', '/admin/calls?clientId=shop&limit=1');
    expect(body.calls).toEqual([
      {
        id: created.headers.get('paypal-debug-id'),
        operation: 'payment.create',
        method: 'POST',
        path: '/v1/payments/payment',
        query: 'secret=[redacted]',
        clientId: 'shop',
        accountId: expect.any(String),
        environment: 'sandbox',
        requestId: 'key-9',
        transactionId: null,
        status: 400,
        fault: null,
        startedAt: expect.any(String),
        finishedAt: expect.any(String),
        durationMs: expect.any(Number),
      },
    ]);
  });

  it('replaces the whole set-up of an application: an absent setting gets its default', async () => {
    expect(
      (await put({ clientSecret: 'a', idempotency: 'all', environment: 'live' })).body.settings.idempotency,
    ).toBe('all');
    expect((await put({ clientSecret: 'b' })).body.settings.idempotency).toBe('declared');
    expect((await sandbox.exchange('another', 'a')).status).toBe(401);
    expect((await sandbox.exchange('another', 'b')).status).toBe(200);
    expect((await put({ clientSecret: 'b', environment: 'sandbox' })).body.details[0].field).toBe(
      'environment',
    );
    expect((await put({ clientSecret: 'b', colour: 'red' })).status).toBe(400);
    expect((await put({})).body.details).toEqual([
      { field: 'clientSecret', issue: 'Required field is missing' },
    ]);
  });

  it('says that the service is healthy', async () => {
    expect(await sandbox.request('GET', '/healthz')).toMatchObject({ status: 200, body: { status: 'ok' } });
  });

  it('reads an application with its settings, and never its secret', async () => {
    await admin('PUT', '/admin/applications/shown', {
      clientSecret: 'shown-secret',
      name: 'Shop',
      dayLengthMs: 1000,
    });
    const { body } = await admin('GET', '/admin/applications/shown');
    expect(body).toMatchObject({
      clientId: 'shown',
      name: 'Shop',
      environment: 'sandbox',
      accountId: expect.any(String),
      settings: { dayLengthMs: 1000, idempotency: 'declared' },
    });
    const list = (await admin('GET', '/admin/applications')).body;
    expect(list.applications).toContainEqual(body);
    expect(JSON.stringify(list)).not.toContain('shown-secret');
    expect((await admin('GET', '/admin/applications/nobody')).status).toBe(404);
  });
});
