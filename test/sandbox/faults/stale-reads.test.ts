import { describe, expect, it } from 'vitest';
import { forEachTest } from '../../helpers/shared.js';
import { eventually, SandboxFixture } from '../sandbox-fixture.js';

/** So long that a starved machine has read before it is over. */
const LAG_MS = 4_000;

describe('reads that lag behind the writes', () => {
  const sandbox = forEachTest(() => SandboxFixture.start());

  const lag = (operation: string, more: object = {}) =>
    sandbox.switchOnFault({ kind: 'stale_read', operation, lagMs: LAG_MS, times: null, ...more });
  const holders = async () => {
    const rows = await sandbox.sql(
      `SELECT count(*)::integer AS count FROM pg_stat_activity
       WHERE datname = current_database() AND state = 'idle in transaction' AND query LIKE '%pg_export_snapshot%'`,
    );
    return rows[0]!['count'] as number;
  };

  it('show the state before the capture, and what the capture did later', async () => {
    const { authorizationId } = await sandbox.authorized();
    await lag('authorization.get');
    await sandbox.capture(authorizationId, '40.00');
    const stateNow = async () => (await sandbox.authorization(authorizationId)).state;
    expect(await stateNow()).toBe('authorized');
    await eventually(stateNow).toBe('partially_captured');
  });

  it('never show what was changed longer ago than their lag', async () => {
    const { authorizationId } = await sandbox.authorized();
    await lag('authorization.get');
    await sandbox.void(authorizationId);
    const voidedAt = Date.now();
    const seen: string[] = [];
    for (let begun = voidedAt; begun < voidedAt + 2 * LAG_MS; begun = Date.now()) {
      const { state } = await sandbox.authorization(authorizationId);
      if (begun >= voidedAt + LAG_MS) expect(state).toBe('voided');
      seen.push(state);
    }
    expect(new Set(seen)).toEqual(new Set(['authorized', 'voided']));
  });

  it('answer 404 for what did not exist then, and leave it out of lists', async () => {
    await lag('payment.get');
    await lag('payment.list');
    const { body } = await sandbox.createPayment();
    const path = `/v1/payments/payment/${body.id}`;
    expect((await sandbox.call('GET', path)).body.name).toBe('INVALID_RESOURCE_ID');
    expect((await sandbox.call('GET', '/v1/payments/payment')).body.count).toBe(0);
    await eventually(async () => (await sandbox.call('GET', path)).status).toBe(200);
    await eventually(async () => (await sandbox.call('GET', '/v1/payments/payment')).body.count).toBe(1);
  });

  it('hide an event that was already delivered', async () => {
    await lag('event.list');
    const { authorizationId } = await sandbox.authorized();
    const count = async () =>
      (
        await sandbox.call(
          'GET',
          `/v1/notifications/webhooks-events?transaction_id=${authorizationId}&page_size=10`,
        )
      ).body.count;
    expect(await count()).toBe(0);
    await eventually(count).toBe(1);
  });

  it('affect no operations, no other reads and no other applications', async () => {
    await sandbox.request('PUT', '/admin/applications/other', { clientSecret: 'other' });
    await lag('*', { clientId: 'other' });
    await lag('payment.get', { clientId: 'shop' });
    const { authorizationId } = await sandbox.authorized();
    expect((await sandbox.authorization(authorizationId)).state).toBe('authorized');
    expect((await sandbox.capture(authorizationId, '100.00')).status).toBe(201);
    expect((await sandbox.capture(authorizationId, '1.00')).body.name).toBe(
      'AUTHORIZATION_ALREADY_COMPLETED',
    );
  });

  it('take effect once and are then up to date, even at the fault’s last use', async () => {
    const { authorizationId } = await sandbox.authorized();
    await lag('authorization.get', { times: 1 });
    await sandbox.void(authorizationId);
    expect((await sandbox.authorization(authorizationId)).state).toBe('authorized');
    expect((await sandbox.authorization(authorizationId)).state).toBe('voided');
  });

  it('lag again after a restart of the service', async () => {
    const { authorizationId } = await sandbox.authorized();
    await lag('authorization.get');
    await sandbox.restart();
    await sandbox.void(authorizationId);
    expect((await sandbox.authorization(authorizationId)).state).toBe('authorized');
  });

  it('show the present when the database has lost the past, and lag again from then on', async () => {
    const { authorizationId } = await sandbox.authorized();
    await lag('authorization.get');
    await sandbox.capture(authorizationId, '10.00');
    await sandbox.sql(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND query LIKE '%pg_export_snapshot%' AND pid <> pg_backend_pid()`,
    );
    const shown = async () =>
      (await sandbox.call('GET', `/v1/payments/authorization/${authorizationId}`)).body;
    await eventually(async () => (await shown()).state).toBe('partially_captured');
    await eventually(holders).toBeGreaterThan(0);
    await sandbox.void(authorizationId);
    expect((await shown()).state).toBe('partially_captured');
  });

  it('cost a bounded number of connections, and none once they are switched off', async () => {
    for (const lagMs of [200, 500, 1_000, 7_000, 30_000]) await lag('payment.get', { lagMs });
    const { body } = await sandbox.createPayment();
    for (let count = 0; count < 50; count += 1) {
      await sandbox.call('GET', `/v1/payments/payment/${body.id}`);
      expect(await holders()).toBeLessThanOrEqual(16);
    }
    expect(await holders()).toBeGreaterThan(0);
    await sandbox.request('DELETE', '/admin/faults');
    await eventually(holders).toBe(0);
    expect((await sandbox.call('GET', `/v1/payments/payment/${body.id}`)).status).toBe(200);
  });

  it('do not stop the service from closing', async () => {
    await lag('*');
    await sandbox.restart();
    await sandbox.restart();
    expect((await sandbox.call('GET', '/v1/payments/payment')).status).toBe(200);
  });
});
