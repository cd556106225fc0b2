import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { type Purged, purge, type Retention } from '#database/retention';
import { agedRows, purgedRows } from '#database/retention/purged-rows.js';
import { forAllTests } from '../helpers/shared.js';
import { ApiFixture, authorizedState } from './api-fixture.js';
import { kept, old, OldRecords, young } from './old-records.js';

const ended = { status: 'voided' } as const;
/** Ended long ago, and somebody needs their records. */
const needing = ['withCommand', 'withDrift', 'withRefund', 'justRefunded'] as const;

let records: OldRecords;
let subjects: Record<'ended' | 'open' | 'justEnded' | (typeof needing)[number], string>;
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
    justRefunded: await records.payment('justRefunded', ended),
  };
  const others = sql`subject_id <> ${subjects.withCommand}`;
  await sql`update commands set status = 'succeeded' where ${others}`.execute(api.db);
  await records.openDriftOf(subjects.withDrift);
  await records.refundOf(subjects.withRefund, 'pending', old);
  await records.refundOf(subjects.justRefunded, 'completed', young);
  await records.reconciledUntil(1);
});

const purgeNow = async (retention: Retention): Promise<Purged> =>
  await purge(api.db, retention, { batch: 3, pauseMs: 0 });
const needed = ['open', 'justEnded', ...needing];
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

test('leaves lines of the timeline that reconciliation has not compared yet', async () => {
  await records.nothingCompared();
  expect((await purgeNow({ sandbox: { timeline: kept.timeline } })).timeline).toBe(0);
  await records.reconciledUntil(1);
});

test('deletes old records of ended subjects, and leaves what somebody may still need', async () => {
  await records.event('waiting', 'parked', { id: subjects.open, days: old });
  await records.event('stranger', 'parked', { id: null, days: old });
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
  expect(purged).toMatchObject({ apiCalls: 1, webhookEvents: 3, notifications: 2, consoleAudit: 1 });
});

test('keeps sign-ins as long as the records of live', async () => {
  await sql`insert into console_audit (at, user_name, role, action)
    values (now() - interval '500 days', 'somebody', 'viewer', 'sign-in')`.execute(api.db);
  expect((await purgeNow({ sandbox: kept })).consoleAudit).toBe(0);
  expect((await purgeNow({ live: kept })).consoleAudit).toBe(1);
});

test('an event goes with what was asked of the provider about it, but not before the provider was asked', async () => {
  for (const label of ['asked', 'to be asked']) {
    await records.event(label, 'ignored', { id: null, days: old });
    await records.providerResend(label, label === 'asked');
  }
  await purgeNow({ sandbox: kept });
  const events = await records.left('webhook_events');
  expect(events).toContain('to be asked');
  expect(events).not.toContain('asked');
  expect(await records.left('provider_resends')).toEqual(['to be asked']);
});

test('deletes ended sessions; those of the console as long ago as those of live', async () => {
  await records.sessions('young', young);
  await records.sessions('old', old);
  expect((await purgeNow({ sandbox: kept })).sessions).toBe(1);
  expect(await records.left('codec_sessions')).toEqual(['young']);
  expect(await records.left('console_sessions')).toEqual(['old', 'young']);
  expect((await purgeNow({ live: kept })).sessions).toBe(1);
  expect(await records.left('console_sessions')).toEqual(['young']);
});

/** Tables that a purge leaves alone, by why they stay small, or stay. */
const staying = {
  // What keeps money from moving twice, and what it moved (docs/decisions/0035).
  subjects: [
    'payments',
    'refunds',
    'plans',
    'subscriptions',
    'payouts',
    'subscription_payments',
    'payout_items',
  ],
  evidence: ['commands', 'attempts', 'resources', 'drift'],
  // A row for each application, endpoint or rotation of its secret, restore, lost payout, or group of names.
  few: [
    'reconciliations',
    'provider_webhooks',
    'event_listeners',
    'notification_endpoints',
    'notification_rotations',
    'database_restores',
    'remembered_references',
    'console_sign_in_failures',
    'kysely_migration',
    'kysely_migration_lock',
  ],
  // By its foreign key.
  withAnother: ['provider_resends'],
};

test('every table is purged, or stays for a reason', async () => {
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public'`.execute(api.db);
  const purged = [...Object.values(purgedRows), ...Object.values(agedRows).flat()].flatMap((each) => [
    each.table,
    ...('parts' in each ? (each.parts ?? []).map(({ table }) => table) : []),
  ]);
  expect(rows.map(({ name }) => name).toSorted()).toEqual(
    [...purged, ...Object.values(staying).flat()].toSorted(),
  );
});
