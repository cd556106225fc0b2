import { Client } from 'pg';
import { expect, it } from 'vitest';
import { forAllTests } from '../../helpers/shared.js';
import { eventually, SandboxFixture } from '../sandbox-fixture.js';

const sandbox = forAllTests(() => SandboxFixture.start());

const FAULT = { kind: 'status', status: 418, operation: 'webhook.list', times: null };
const faultsOn = async () => (await sandbox.request('GET', '/admin/faults')).body.faults;
const listWebhooks = async () => (await sandbox.call('GET', '/v1/notifications/webhooks')).status;
const waitsForLock = async () =>
  (
    await sandbox.sql(
      `SELECT count(*)::integer AS count FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    )
  )[0]!['count'];

it('takes effect when it is switched on while all others are switched off', async () => {
  await sandbox.switchOnFault({ kind: 'drop_delivery', times: null });
  const holder = new Client({ connectionString: sandbox.database.url });
  await holder.connect();
  await holder.query('BEGIN');
  await holder.query('SELECT 1 FROM faults FOR UPDATE');
  const off = sandbox.request('DELETE', '/admin/faults');
  await eventually(waitsForLock).toBe(1);
  const on = sandbox.request('POST', '/admin/faults', FAULT);
  // One that does not wait for the deletion is answered long before these.
  for (let count = 0; count < 20; count += 1) await sandbox.request('GET', '/admin/faults');
  await holder.query('COMMIT');
  await holder.end();
  expect([(await off).status, (await on).status]).toEqual([204, 201]);
  expect(await faultsOn()).toMatchObject([FAULT]);
  expect(await listWebhooks()).toBe(418);
  await sandbox.request('DELETE', '/admin/faults');
  expect(await listWebhooks()).toBe(200);
});

it('continues after a change that failed', async () => {
  await sandbox.sql('ALTER TABLE faults RENAME TO faults_away');
  expect((await sandbox.request('POST', '/admin/faults', FAULT)).status).toBe(500);
  await sandbox.sql('ALTER TABLE faults_away RENAME TO faults');
  await sandbox.switchOnFault(FAULT);
  expect(await listWebhooks()).toBe(418);
  await sandbox.request('DELETE', '/admin/faults');
});

it('starts without the faults that an older version accepted and this one refuses', async () => {
  await sandbox.switchOnFault(FAULT);
  await sandbox.switchOnFault({ kind: 'reshape', remove: ['state'] });
  await sandbox.sql(
    `UPDATE faults SET settings = (replace(settings::text, '"remove":["state"]', '"remove":["links[5000]"]'))::json
     WHERE kind = 'reshape'`,
  );
  await sandbox.restart();
  expect(await faultsOn()).toMatchObject([FAULT]);
  expect(await listWebhooks()).toBe(418);
});
