import { afterEach, describe, expect, test } from 'vitest';
import { startSandbox } from '#sandbox/sandbox.js';
import { forAllTests } from '../../helpers/shared.js';
import { eventually, SandboxFixture } from '../sandbox-fixture.js';
import { daily, planBody, SOON, Subscriptions } from './subscription-calls.js';

const DAY_MS = 10;

const sandbox = forAllTests(() => SandboxFixture.start({ dayLengthMs: DAY_MS }));
const subscriptions = new Subscriptions(sandbox);
afterEach(async () => {
  expect(await sandbox.violations()).toEqual([]);
  await sandbox.request('DELETE', '/admin/faults');
  await sandbox.configure({});
  await sandbox.sql('DELETE FROM webhooks');
});

const cyclesBilled = async (id: string) =>
  (await sandbox.sql(`SELECT cycle FROM agreement_transactions WHERE agreement_id = '${id}' ORDER BY id`))
    .map((row) => row['cycle'])
    .filter((cycle) => cycle !== null);

const cut = () =>
  sandbox.sql(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()`,
  );

describe('billed once', () => {
  test('over restarts in the middle, with what fell due meanwhile', async () => {
    const id = await subscriptions.agreement(planBody({ payment_definitions: [daily('20')] }), SOON);
    for (const billed of [1, 4, 8]) {
      await eventually(async () => (await cyclesBilled(id)).length).toBeGreaterThanOrEqual(billed);
      await sandbox.restart();
    }
    await subscriptions.become(id, 'Expired');
    expect(await cyclesBilled(id)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
    expect(await subscriptions.booked(id)).toEqual(Array.from({ length: 20 }, () => 1_000));
  });

  test('over connections that are cut anywhere', async () => {
    const plan = planBody({ payment_definitions: [daily('40', { frequency_interval: '1' })] });
    const ids = await Promise.all([1, 2, 3].map(() => subscriptions.agreement(plan, SOON)));
    for (const billed of [1, 10, 20, 30]) {
      await eventually(async () => (await cyclesBilled(ids[0]!)).length).toBeGreaterThanOrEqual(billed);
      for (let times = 0; times < 5; times += 1) await cut();
    }
    for (const id of ids) {
      await eventually(
        async () => (await sandbox.sql(`SELECT state FROM billing_agreements WHERE id = '${id}'`))[0],
      ).toEqual({ state: 'Expired' });
      expect(await cyclesBilled(id)).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
      expect(await subscriptions.booked(id)).toEqual(Array.from({ length: 40 }, () => 1_000));
    }
  });

  test('by two processes that bill from one database', async () => {
    const twin = await startSandbox({
      databaseUrl: sandbox.database.url,
      port: 0,
      databasePoolSize: 4,
      logLevel: 'silent',
      dayLengthMs: DAY_MS,
    });
    try {
      const plan = planBody({ payment_definitions: [daily('10', { frequency_interval: '2' })] });
      const ids = await Promise.all([1, 2, 3].map(() => subscriptions.agreement(plan, SOON)));
      for (const id of ids) {
        await subscriptions.become(id, 'Expired');
        expect(await subscriptions.booked(id)).toEqual(Array.from({ length: 10 }, () => 1_000));
      }
    } finally {
      await twin.close();
    }
  });

  test('in whatever order a cancellation and due cycles come', async () => {
    const plan = planBody({
      type: 'INFINITE',
      payment_definitions: [daily('0', { frequency_interval: '1' })],
    });
    const id = await subscriptions.agreement(plan, SOON);
    await eventually(async () => (await subscriptions.booked(id)).length).toBeGreaterThan(2);
    expect((await subscriptions.post(id, 'cancel')).status).toBe(204);
    const billed = await subscriptions.booked(id);
    await sandbox.restart();
    expect((await subscriptions.get(id)).state).toBe('Cancelled');
    expect(await subscriptions.booked(id)).toEqual(billed);
    // A cycle that began a moment later may have been billed first: their events carry the instants at which they began.
    expect((await subscriptions.events(id)).filter((type) => type === 'CANCELLED')).toHaveLength(1);
  });
});
