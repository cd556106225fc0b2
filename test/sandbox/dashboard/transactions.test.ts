import { expect, it } from 'vitest';
import { forAllTests } from '../../helpers/shared.js';
import { SandboxFixture } from '../sandbox-fixture.js';

const sandbox = forAllTests(() => SandboxFixture.start());

it('shows on the page of a payment the calls about its authorization and its captures', async () => {
  const { paymentId, authorizationId } = await sandbox.authorized();
  await sandbox.capture(authorizationId, '40.00');
  const { body } = await sandbox.request('GET', `/dashboard/transactions/${paymentId}`);
  expect(body).toContain('POST /v1/payments/payment');
  expect(body).toContain(`/v1/payments/authorization/${authorizationId}/capture`);
});
