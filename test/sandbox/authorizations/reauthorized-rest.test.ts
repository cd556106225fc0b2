import { afterAll, describe, expect, it } from 'vitest';
import { forAllTests } from '../../helpers/shared.js';
import { eventually, SandboxFixture } from '../sandbox-fixture.js';
import { endHonourPeriod, honoured, LONG_DAY_MS, reauthorize } from './reauthorizing.js';

describe('reauthorizations', () => {
  const sandbox = forAllTests(() => SandboxFixture.start({ dayLengthMs: LONG_DAY_MS }));
  afterAll(async () => {
    expect(await sandbox.violations()).toEqual([]);
  });

  it('keep what was captured, and reauthorize the rest', async () => {
    for (const reauthorizationId of ['same', 'new']) {
      await sandbox.configure({ reauthorizationId });
      const { authorizationId, paymentId } = await honoured(sandbox);
      await sandbox.capture(authorizationId, '40.00');
      expect((await reauthorize(sandbox, authorizationId, '75.01')).body.name).toBe(
        'AUTHORIZATION_AMOUNT_LIMIT_EXCEEDED',
      );
      const { body } = await reauthorize(sandbox, authorizationId, '75.00');
      await sandbox.configure({});
      expect((await sandbox.capture(body.id, '75.00')).status).toBe(201);
      expect((await sandbox.authorization(body.id)).state).toBe('captured');
      expect(await sandbox.booksOf(paymentId)).toEqual([
        'hold 10000',
        'capture 4000',
        'release 6000',
        'hold 7500',
        'capture 7500',
      ]);
    }
  });

  it('let a capture complete that was pending under the old id', async () => {
    await sandbox.configure({
      reauthorizationId: 'new',
      captureOutcome: 'pending_then_denied',
      captureSettleMs: LONG_DAY_MS,
    });
    const { authorizationId, paymentId } = await honoured(sandbox);
    await sandbox.capture(authorizationId, '40.00');
    const { body } = await reauthorize(sandbox, authorizationId, '60.00');
    await sandbox.configure({});
    expect(await sandbox.violations()).toEqual([]);
    await sandbox.sql('UPDATE captures SET settles_at = now()');
    await eventually(() => sandbox.booksOf(paymentId)).toEqual([
      'hold 10000',
      'release 6000',
      'hold 6000',
      'release 4000',
    ]);
    expect((await sandbox.authorization(body.id)).state).toBe('authorized');
  });

  it.each(['same', 'new'])(
    'count what was captured under earlier ids against the original amount, and nothing twice: %s id',
    async (reauthorizationId) => {
      await sandbox.configure({ reauthorizationId, reauthorizationTimes: 'many' });
      const { authorizationId, paymentId } = await honoured(sandbox);
      await sandbox.capture(authorizationId, '40.00');
      const first = await reauthorize(sandbox, authorizationId, '75.00');
      expect(first.status).toBe(201);
      await endHonourPeriod(sandbox, first.body.id);
      const tooMuch = await reauthorize(sandbox, first.body.id, '75.01');
      expect(tooMuch.body.name).toBe('AUTHORIZATION_AMOUNT_LIMIT_EXCEEDED');
      const second = await reauthorize(sandbox, first.body.id, '75.00');
      await sandbox.configure({});
      expect(second.status).toBe(201);
      expect((await sandbox.capture(second.body.id, '75.00')).status).toBe(201);
      expect(await sandbox.booksOf(paymentId)).toEqual([
        'hold 10000',
        'capture 4000',
        'release 6000',
        'hold 7500',
        'release 7500',
        'hold 7500',
        'capture 7500',
      ]);
    },
  );
});
