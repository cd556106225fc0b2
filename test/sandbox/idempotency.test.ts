import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { forAllTests } from '../helpers/shared.js';
import { paymentBody, SandboxFixture } from './sandbox-fixture.js';

const key = (id: string) => ({ 'paypal-request-id': id });

describe('the request id', () => {
  const sandbox = forAllTests(() => SandboxFixture.start());

  it('gets the same answer again for execute and void, also after a restart, and nothing happens twice', async () => {
    const { body: created } = await sandbox.createPayment();
    await sandbox.approve(created.id);
    const executed = await sandbox.execute(created.id, key('execute-1'));
    const authorizationId = executed.body.transactions[0].related_resources[0].authorization.id;
    const voided = await sandbox.void(authorizationId, key('void-1'));
    await sandbox.restart();
    expect(await sandbox.execute(created.id, key('execute-1'))).toMatchObject({
      status: 200,
      body: executed.body,
    });
    expect(await sandbox.void(authorizationId, key('void-1'))).toMatchObject({
      status: 200,
      body: voided.body,
    });
    expect(await sandbox.booksOf(created.id)).toEqual(['hold 10000', 'release 10000']);
  });

  it('of two simultaneous calls lets one through: the other gets the same answer or 409', async () => {
    const { body: created } = await sandbox.createPayment();
    await sandbox.approve(created.id);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => sandbox.execute(created.id, key('execute-2'))),
    );
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
    expect(answers.some(({ status }) => status === 200)).toBe(true);
    expect(await sandbox.booksOf(created.id)).toEqual(['hold 10000']);
  });

  it('used for another request is refused', async () => {
    const first = await sandbox.authorized();
    const second = await sandbox.authorized();
    await sandbox.void(first.authorizationId, key('void-2'));
    const { status, body } = await sandbox.void(second.authorizationId, key('void-2'));
    expect(status).toBe(400);
    expect(body.name).toBe('DUPLICATE_REQUEST_ID');
    expect((await sandbox.authorization(second.authorizationId)).state).toBe('authorized');
  });

  it('is known again when the members of the same body stand in another order, as older rows are', async () => {
    const { authorizationId } = await sandbox.authorized();
    const { body: capture } = await sandbox.capture(authorizationId, '10.00');
    const refund = (body: object) =>
      sandbox.call('POST', `/v1/payments/capture/${capture.id}/refund`, body, key('refund-order'));
    const sent = { invoice_number: '7', amount: { total: '1.00', currency: 'USD' } };
    const first = await refund(sent);
    const again = await refund({ amount: { currency: 'USD', total: '1.00' }, invoice_number: '7' });
    expect(again).toMatchObject({ status: 200, body: first.body });
    // As earlier versions wrote it.
    const text = `/v1/payments/capture/${capture.id}/refund\n${JSON.stringify(sent)}`;
    const asSent = createHash('sha256').update(text).digest('hex');
    await sandbox.sql(
      `UPDATE idempotent_answers SET request_sha256 = '${asSent}' WHERE request_id = 'refund-order'`,
    );
    expect(await refund(sent)).toMatchObject({ status: 200, body: first.body });
    const other = await refund({ ...sent, amount: { total: '2.00', currency: 'USD' } });
    expect(other.body.name).toBe('DUPLICATE_REQUEST_ID');
  });

  it('is free again when its call was refused', async () => {
    const { body: created } = await sandbox.createPayment();
    expect((await sandbox.execute(created.id, key('execute-3'))).status).toBe(400);
    await sandbox.approve(created.id);
    expect((await sandbox.execute(created.id, key('execute-3'))).status).toBe(200);
  });

  it('is ignored on create and capture, where the public API does not declare it', async () => {
    const create = () => sandbox.call('POST', '/v1/payments/payment', undefined, key('create-1'));
    expect((await create()).status).toBe(400);
    const { authorizationId, paymentId } = await sandbox.authorized();
    const first = await sandbox.capture(authorizationId, '10.00', {}, key('capture-1'));
    const second = await sandbox.capture(authorizationId, '10.00', {}, key('capture-1'));
    expect(first.body.id).not.toBe(second.body.id);
    expect(await sandbox.booksOf(paymentId)).toEqual(['hold 10000', 'capture 1000', 'capture 1000']);
  });

  it('is honoured everywhere when the application is configured so', async () => {
    await sandbox.configure({ idempotency: 'all' });
    const { authorizationId, paymentId } = await sandbox.authorized();
    const first = await sandbox.capture(authorizationId, '10.00', {}, key('capture-2'));
    const second = await sandbox.capture(authorizationId, '10.00', {}, key('capture-2'));
    await sandbox.configure({});
    expect(second).toMatchObject({ status: 201, body: first.body });
    expect(await sandbox.booksOf(paymentId)).toEqual(['hold 10000', 'capture 1000']);
  });

  it('belongs to one application: another one’s call with the same id and body has its own effect', async () => {
    await sandbox.configure({ idempotency: 'all' });
    const settings = { clientSecret: 'other-secret', idempotency: 'all' };
    await sandbox.request('PUT', '/admin/applications/other', settings);
    const authorization = `Bearer ${await sandbox.newToken('other', 'other-secret')}`;
    const create = (headers: Record<string, string> = {}) =>
      sandbox.call('POST', '/v1/payments/payment', paymentBody(), { ...key('shared-1'), ...headers });
    const own = await create();
    const others = await create({ authorization });
    expect(others.status).toBe(201);
    expect(others.body.id).not.toBe(own.body.id);
    expect((await create()).body).toEqual(own.body);
    expect((await create({ authorization })).body).toEqual(others.body);
    await sandbox.configure({});
    expect(
      await sandbox.sql(
        `SELECT id, client_id FROM payments WHERE id IN ('${own.body.id}', '${others.body.id}') ORDER BY client_id`,
      ),
    ).toEqual([
      { id: others.body.id, client_id: 'other' },
      { id: own.body.id, client_id: 'shop' },
    ]);
  });

  it('longer than 78 characters is refused', async () => {
    const { authorizationId } = await sandbox.authorized();
    const { body } = await sandbox.void(authorizationId, key('x'.repeat(79)));
    expect(body.details).toEqual([{ field: 'PayPal-Request-Id', issue: expect.any(String) }]);
    // Where it is ignored, its length is, too.
    expect((await sandbox.capture(authorizationId, '1.00', {}, key('x'.repeat(79)))).status).toBe(201);
  });
});
