import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { type Purged, purge, type Retention } from '#database/retention';
import { forAllTests } from '../helpers/shared.js';
import { ApiFixture, authorizedState } from './api-fixture.js';
import { kept, old, OldRecords, young } from './old-records.js';

const ended = { status: 'voided' } as const;

let records: OldRecords;
let subjects: Record<'ended' | 'open' | 'justEnded' | 'withCommand' | 'withDrift' | 'withRefund', string>;
const api = forAllTests(() => ApiFixture.start());
beforeAll(async () => {
  records = new OldRecords(api);
  subjects = {
    ended: await records.payment('ended', ended),
    open: await records.payment('open', authorizedState()),
    justEnded: await records.payment('justEnded', ended, young),
    withCommand: await records.payment('withCommand', ended),
    withDrift: await records.payment('withDrift', ended),
    withRefund: await records.payment('withRefund', ended),
  };
  const others = sql`subject_id <> ${subjects.withCommand}`;
  await sql`update commands set status = 'succeeded' where ${others}`.execute(api.db);
  await records.openDriftOf(subjects.withDrift);
  await records.openRefundOf(subjects.withRefund);
  await records.reconciledUntil(1);
});

const purgeNow = async (retention: Retention): Promise<Purged> =>
  await purge(api.db, retention, { batch: 3, pauseMs: 0 });
const needed = ['open', 'justEnded', 'withCommand', 'withDrift', 'withRefund'];
const youngOnes = () => Object.keys(subjects).map((name) => `${name} ${young}`);
const neededOnes = () => [...needed.map((name) => `${name} ${old}`), ...youngOnes()];

test('deletes nothing of an environment without a period', async () => {
  const before = await records.left('api_calls');
  expect(new Set(Object.values(await purgeNow({})))).toEqual(new Set([0]));
  expect(new Set(Object.values(await purgeNow({ live: kept })))).toEqual(new Set([0]));
  expect(await records.left('api_calls')).toEqual(before);
});

test('leaves events that reconciliation has not searched for yet', async () => {
  await records.reconciledUntil(old + 1);
  expect((await purgeNow({ sandbox: { webhookEvents: 30 } })).webhookEvents).toBe(0);
  await records.reconciledUntil(1);
});

test('deletes old records of ended subjects, and leaves what somebody may still need', async () => {
  await records.event('waiting', 'parked', { id: null, days: old });
  await records.event('foreign', 'ignored', { id: null, days: old });
  await records.notification('undelivered', 'pending', { id: null, days: old });
  await records.notification('test', 'delivered', { id: null, days: old });
  const versions = await records.versionsOf(subjects.ended);
  expect(versions.length).toBeGreaterThan(1);
  const timelines = async () =>
    await Promise.all([subjects.open, subjects.withCommand].map((id) => records.versionsOf(id)));
  const whole = await timelines();
  const shown = async () => (await api.call('GET', `/v1/payments/${subjects.ended}`)).body;
  const before = await shown();

  const purged = await purgeNow({ sandbox: kept });

  expect(await records.left('api_calls')).toEqual(neededOnes().toSorted());
  expect(await records.left('webhook_events')).toEqual([...neededOnes(), 'waiting'].toSorted());
  expect(await records.left('webhook_resends')).toEqual(await records.left('webhook_events'));
  expect(await records.left('webhook_transmissions')).toEqual(youngOnes().toSorted());
  expect(await records.left('notifications')).toEqual([...neededOnes(), 'undelivered'].toSorted());
  expect(await records.left('notification_attempts')).toEqual(await records.left('notifications'));
  expect(await records.left('console_audit')).toEqual(neededOnes().toSorted());
  expect(await records.versionsOf(subjects.ended)).toEqual(versions.slice(-1));
  expect(await timelines()).toEqual(whole);
  expect(await shown()).toEqual(before);
  expect(purged).toMatchObject({ apiCalls: 1, webhookEvents: 2, notifications: 2, consoleAudit: 1 });
});

test('keeps sign-ins as long as the records of live', async () => {
  await sql`insert into console_audit (at, user_name, role, action)
    values (now() - interval '500 days', 'somebody', 'viewer', 'sign-in')`.execute(api.db);
  expect((await purgeNow({ sandbox: kept })).consoleAudit).toBe(0);
  expect((await purgeNow({ live: kept })).consoleAudit).toBe(1);
});
