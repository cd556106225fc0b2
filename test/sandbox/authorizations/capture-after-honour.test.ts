import { afterAll, describe, expect, it } from 'vitest';
import { forAllTests } from '../../helpers/shared.js';
import { SandboxFixture } from '../sandbox-fixture.js';
import { honoured, LONG_DAY_MS } from './reauthorizing.js';

describe('captures after the honour period', () => {
  const sandbox = forAllTests(() => SandboxFixture.start({ dayLengthMs: LONG_DAY_MS }));
  afterAll(async () => {
    expect(await sandbox.violations()).toEqual([]);
  });

  const payerPays = (pays: boolean) =>
    sandbox.request('PATCH', '/admin/accounts/SANDBOXPAYER1', { fundingDeclines: !pays });

  it('succeed usually', async () => {
    const { authorizationId } = await honoured(sandbox);
    expect(await sandbox.capture(authorizationId, '100.00')).toMatchObject({ status: 201 });
  });

  it('never succeed where the application says so, and the money stays held', async () => {
    await sandbox.configure({ captureAfterHonour: 'never' });
    const early = await sandbox.authorized();
    expect(await sandbox.capture(early.authorizationId, '40.00')).toMatchObject({ status: 201 });
    const { authorizationId, paymentId } = await honoured(sandbox);
    expect(await sandbox.capture(authorizationId, '40.00')).toMatchObject({
      status: 400,
      body: { name: 'INSTRUMENT_DECLINED' },
    });
    expect(await sandbox.authorization(authorizationId)).toMatchObject({ state: 'authorized' });
    expect(await sandbox.booksOf(paymentId)).toEqual(['hold 10000']);
  });

  it('depend on the payer’s account', async () => {
    await sandbox.configure({ captureAfterHonour: 'by_balance' });
    const { authorizationId, paymentId } = await honoured(sandbox);
    await payerPays(false);
    const declined = await sandbox.capture(authorizationId, '40.00');
    await payerPays(true);
    const made = await sandbox.capture(authorizationId, '40.00');
    expect([declined.status, made.status]).toEqual([400, 201]);
    expect(await sandbox.booksOf(paymentId)).toEqual(['hold 10000', 'capture 4000']);
  });

  it('depend on chance', async () => {
    const { authorizationId } = await honoured(sandbox);
    await sandbox.configure({ captureAfterHonour: 'by_chance', captureAfterHonourChance: 0 });
    expect((await sandbox.capture(authorizationId, '40.00')).status).toBe(400);
    await sandbox.configure({ captureAfterHonour: 'by_chance', captureAfterHonourChance: 1 });
    expect((await sandbox.capture(authorizationId, '40.00')).status).toBe(201);
    await sandbox.configure({ captureAfterHonour: 'by_chance' });
    const statuses = await Promise.all(
      Array.from({ length: 30 }, async () => (await sandbox.capture(authorizationId, '0.01')).status),
    );
    // Thirty equal ones come once in 500 million.
    expect(new Set(statuses)).toEqual(new Set([201, 400]));
  });
});
