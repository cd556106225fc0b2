import { describe, expect, it } from 'vitest';
import { forAllTests } from '../helpers/shared.js';
import { SandboxFixture } from './sandbox-fixture.js';

describe('an unknown query parameter', () => {
  const sandbox = forAllTests(() => SandboxFixture.start());

  // A list that ignored it would answer everything, and look as if it were the answer.
  it.each([
    '/v1/payments/payment?payee=x',
    '/v1/payments/billing-plans?state=ACTIVE',
    '/v1/notifications/webhooks?type=x',
    '/v1/notifications/webhooks-events?transactionid=x',
    '/v1/notfications/webhooks-events?transactionid=x',
    '/v1/payments/payouts/PB-1?items=2',
    '/v1/payments/billing-agreements/I-1/transactions?start_date=2030-01-01&end_date=2030-01-02&page=1',
  ])('is refused by its name: %s', async (path) => {
    const { status, body } = await sandbox.call('GET', path);
    const misspelt = new URLSearchParams(path.split('?')[1]);
    expect(status).toBe(400);
    expect([...misspelt.keys()]).toContain(body.details[0].field);
    expect(body.details[0].issue).toBe('Unknown field');
  });

  it.each(['/admin/books/movements?paymentt=x', '/admin/calls?statuss=5xx'])(
    'is refused in the tests’ own searches: %s',
    async (path) => {
      expect((await sandbox.request('GET', path)).body.details[0].issue).toBe('Unknown field');
    },
  );
});
