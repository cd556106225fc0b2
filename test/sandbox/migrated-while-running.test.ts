import { Client } from 'pg';
import { expect, it } from 'vitest';
import { forAllTests } from '../helpers/shared.js';
import { SandboxFixture, paymentBody } from './sandbox-fixture.js';

const sandbox = forAllTests(() => SandboxFixture.start({ databasePoolSize: 1 }));

it('a newer release’s migration adds a column while the service runs, and it goes on without a restart', async () => {
  const { body: payment } = await sandbox.call('POST', '/v1/payments/payment', paymentBody());
  const read = () => sandbox.call('GET', `/v1/payments/payment/${payment.id}`);
  // The connection has planned the statement then.
  expect((await read()).body.id).toBe(payment.id);
  const database = new Client({ connectionString: sandbox.database.url });
  await database.connect();
  await database.query(`alter table payments add column of_a_newer_release text`);
  await database.end();
  // One call may meet the old plan.
  await read();
  for (let time = 0; time < 3; time += 1) expect((await read()).body.id).toBe(payment.id);
});
