import { afterAll, describe, expect, it } from 'vitest';
import { forAllTests } from '../helpers/shared.js';
import { SandboxFixture } from './sandbox-fixture.js';

const sandbox = forAllTests(() => SandboxFixture.start());
afterAll(async () => {
  expect(await sandbox.violations()).toEqual([]);
});

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

/** `curl -d ''` sends a form's type, and so do clients that set one type for all calls. */
describe('a body of no bytes', () => {
  it('is none, whatever its type: the hold is voided, and the rest refunded', async () => {
    const { authorizationId, paymentId } = await sandbox.authorized();
    const { body: capture } = await sandbox.capture(authorizationId, '10.00');
    const refund = await sandbox.call('POST', `/v1/payments/capture/${capture.id}/refund`, '', FORM);
    expect(refund.status).toBe(201);
    const path = `/v1/payments/authorization/${authorizationId}/void`;
    expect((await sandbox.call('POST', path, '', { 'content-type': 'text/plain' })).status).toBe(200);
    expect(await sandbox.booksOf(paymentId)).toEqual([
      'hold 10000',
      'capture 1000',
      'refund 1000',
      'release 9000',
    ]);
  });

  it('is none for a DELETE', async () => {
    const webhook = { url: 'http://127.0.0.1:9/hook', event_types: [{ name: '*' }] };
    const { body } = await sandbox.call('POST', '/v1/notifications/webhooks', webhook);
    const path = `/v1/notifications/webhooks/${body.id}`;
    expect((await sandbox.call('DELETE', path, '', FORM)).status).toBe(204);
  });

  it('lacks what is required', async () => {
    const { status, body } = await sandbox.call('POST', '/v1/payments/payment', '', FORM);
    expect([status, body.name]).toEqual([400, 'VALIDATION_ERROR']);
  });
});

it('a body of another type is refused before anything is done', async () => {
  const { authorizationId, paymentId } = await sandbox.authorized();
  const path = `/v1/payments/authorization/${authorizationId}/void`;
  const { status, body } = await sandbox.call('POST', path, 'a=b', FORM);
  expect([status, body.name]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  expect(await sandbox.booksOf(paymentId)).toEqual(['hold 10000']);
});

it.each(['/v1/payments/payment', '/v1/payments/capture', '/v1/notifications/webhooks'])(
  'an id that is longer than any names no resource: %s',
  async (path) => {
    for (const length of [64, 65, 100, 101, 2_000]) {
      const { status, body } = await sandbox.call('GET', `${path}/${'A'.repeat(length)}`);
      expect([status, body.name]).toEqual([404, 'INVALID_RESOURCE_ID']);
    }
  },
);
