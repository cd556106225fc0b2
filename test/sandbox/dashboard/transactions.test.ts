import { beforeAll, expect, it } from 'vitest';
import { SandboxFixture } from '../sandbox-fixture.js';

let sandbox: SandboxFixture;
beforeAll(async () => {
  sandbox = await SandboxFixture.start();
  return () => sandbox.stop();
});

it('shows on the page of a payment the calls about its authorization and its captures', async () => {
  const { paymentId, authorizationId } = await sandbox.authorized();
  await sandbox.capture(authorizationId, '40.00');
  const { body } = await sandbox.request('GET', `/dashboard/transactions/${paymentId}`);
  expect(body).toContain('POST /v1/payments/payment');
  expect(body).toContain(`/v1/payments/authorization/${authorizationId}/capture`);
});
