import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import {
  findChangedSubjects,
  sampleSubjects,
  findForgottenSubjects,
  findIdleSubjects,
  claimForRestart,
  noteEventsSearched,
  openReconciliation,
} from '#database/reconciliation';
import { acceptCommand } from '#database/commands';
import {
  deleteForeignEvents,
  findMissingEvents,
  findOwnResources,
  giveUpParkedEvents,
  journalWebhookEvent,
} from '#database/events';
import { paymentRecords, writeTransition } from '#database/transitions';
import { findPayment } from '#database/subjects';
import { type PaymentIdentity, paymentSubject } from '#workflows/contract';
import { restartFrom } from '#workflows/lifecycle/payment';
import { payment } from '../lifecycle/payment/sample-payments.js';
import { subscription } from '../lifecycle/subscription/sample-subscriptions.js';
import {
  atOnce,
  authorizationEvent,
  captureCommand,
  newIdentity,
  useEngineDatabase,
  owner,
  storeAuthorizedPayment,
  transition,
  withOwnIds,
} from './engine-database.js';
import { storeSubscription } from './stored-subscription.js';

const database = useEngineDatabase();

const kinds = [{ table: 'payments', open: ['authorized'] }] as const;

async function takenUp(identity: PaymentIdentity, seen: number) {
  return await claimForRestart(database.db, paymentRecords, paymentSubject(identity), seen, restartFrom);
}

describe('the cursor of an application', () => {
  it('begins before the oldest payment that has not ended, and only moves forward', async () => {
    const apart = { environment: 'sandbox', application: 'apart' };
    const before = Date.now();
    const opened = await atOnce(5, async () => await openReconciliation(database.db, apart, 60_000));
    expect(new Set(opened.map(({ events_until }) => events_until.getTime())).size).toBe(1);
    expect(opened[0]?.events_until.getTime()).toBeLessThan(before);

    const later = new Date(before + 5_000);
    await noteEventsSearched(database.db, apart, { until: later, found: 2 });
    await noteEventsSearched(database.db, apart, { until: new Date(before), found: 1 });
    const cursor = await openReconciliation(database.db, apart, 60_000);
    expect(cursor).toMatchObject({ events_until: later, events_found: 3 });
  });

  it('begins before the oldest subscription that has not ended', async () => {
    const { subscriptionId } = await storeSubscription(database.db, subscription('active'));
    const billing = { environment: 'sandbox', application: 'billing' };
    const created_at = new Date('2026-01-05T12:00:00Z');
    await database.db
      .updateTable('subscriptions')
      .set({ ...billing, created_at })
      .where('id', '=', subscriptionId)
      .execute();
    const { events_until } = await openReconciliation(database.db, billing, 60_000);
    expect(events_until).toEqual(new Date('2026-01-05T11:59:00Z'));
  });
});

describe('a payment whose run is lost', () => {
  it('is restarted by one of those that find it, with the commands that were not begun', async () => {
    const identity = await storeAuthorizedPayment(database.db);
    const command = captureCommand(identity);
    await acceptCommand(database.db, command);
    const taken = await atOnce(5, async () => await takenUp(identity, 3));
    const [one, ...others] = taken.filter((each) => each !== undefined);
    expect(others).toEqual([]);
    expect(one?.position.version).toBe(4);
    expect(one?.commands.map(({ id }) => id)).toContain(command.id);
    expect(await findPayment(database.db, identity)).toMatchObject({ version: 4, status: 'authorized' });
  });

  it('is not restarted once it has ended', async () => {
    const identity = await storeAuthorizedPayment(database.db);
    await writeTransition(database.db, transition(identity, withOwnIds(payment('voided'), identity), 4));
    expect(await takenUp(identity, 4)).toBeUndefined();
  });

  it('is found among those that do not move, page by page and in no other application', async () => {
    const ids = (await atOnce(3, () => storeAuthorizedPayment(database.db))).map(
      ({ paymentId }) => paymentId,
    );
    const walk = { idleForMs: -1_000, limit: 2 };
    const seen: string[] = [];
    for (let after: string | null = null, page = ['']; page.length > 0; after = page.at(-1) ?? null) {
      page = await findIdleSubjects(database.db, owner, kinds, { ...walk, after });
      seen.push(...page);
    }
    expect(seen).toEqual(expect.arrayContaining(ids));
    expect(seen).toEqual([...new Set(seen)].toSorted());
    expect(
      await findIdleSubjects(database.db, owner, kinds, { after: null, idleForMs: 60_000, limit: 9 }),
    ).toEqual([]);
    const other = { ...owner, application: 'other' };
    expect(await findIdleSubjects(database.db, other, kinds, { ...walk, after: null })).toEqual([]);
  });

  it('is found by a command that was accepted and never begun', async () => {
    const identity = await storeAuthorizedPayment(database.db);
    await acceptCommand(database.db, captureCommand(identity));
    const search = { acceptedForMs: -1_000, limit: 100 };
    expect(await findForgottenSubjects(database.db, owner, search)).toContain(identity.paymentId);
    expect(await findForgottenSubjects(database.db, owner, { ...search, acceptedForMs: 60_000 })).toEqual([]);
  });
});

describe('events of other users of the account', () => {
  it('are given up and deleted after their time, and ours are not', async () => {
    const identity = await storeAuthorizedPayment(database.db);
    const mine = authorizationEvent(identity);
    const theirs = authorizationEvent(newIdentity());
    const rows = [
      await journalWebhookEvent(database.db, mine),
      await journalWebhookEvent(database.db, theirs),
    ];
    const ids = rows.map(({ id }) => id);
    const find = async () =>
      await database.db
        .selectFrom('webhook_events')
        .select(['event_id', 'status'])
        .where('id', 'in', ids)
        .orderBy('id')
        .execute();
    await sql`update webhook_events set status = 'parked' where event_id = ${theirs.eventId}`.execute(
      database.db,
    );
    const isNew = { ...mine, eventId: 'WH-new' };
    expect(await findMissingEvents(database.db, owner, [mine, isNew])).toEqual([isNew]);
    const nameless = { ...mine, eventId: 'WH-nameless', resource: { ...mine.resource, id: '' } };
    await journalWebhookEvent(database.db, nameless);
    const whole = { ...nameless, resource: mine.resource };
    expect(await findMissingEvents(database.db, owner, [nameless, whole])).toEqual([whole]);
    await sql`delete from webhook_events where event_id = 'WH-nameless'`.execute(database.db);
    const known = await findOwnResources(database.db, owner, [...mine.resourceIds, ...theirs.resourceIds]);
    expect([...known].toSorted()).toEqual(mine.resourceIds.toSorted());

    await giveUpParkedEvents(database.db, owner, { parkedForMs: 60_000, limit: 10 });
    expect((await find())[1]?.status).toBe('parked');
    await giveUpParkedEvents(database.db, owner, { parkedForMs: -1_000, limit: 10 });
    expect((await find())[1]?.status).toBe('ignored');
    await deleteForeignEvents(database.db, owner, { keptForMs: -1_000, limit: 10 });
    expect((await find()).map(({ event_id }) => event_id)).toEqual([mine.eventId]);
  });
});

describe('the timeline that is read for changes', () => {
  it('is read past the lines that are not compared, however many there are', async () => {
    const { until: before } = await findChangedSubjects(database.db, owner, ['payments'], {
      after: 0,
      unchangedForMs: -60_000,
      limit: 1_000,
    });
    await sql`insert into timeline (subject_id, version, event, kind, from_status, to_status, at)
      select 're_' || n, 1, 'refundObserved', 'moved', 'pending', 'completed', now()
      from generate_series(1, 2500) n`.execute(database.db);
    const read = async (after: number) =>
      await findChangedSubjects(database.db, owner, ['payments'], {
        after,
        unchangedForMs: -60_000,
        limit: 10,
      });
    const first = await read(before);
    expect(first.ids).toEqual([]);
    expect(first.until).toBeGreaterThan(before);
    const identity = await storeAuthorizedPayment(database.db);
    await writeTransition(database.db, {
      ...transition(identity, withOwnIds(payment('voided'), identity), 4),
      timeline: [{ version: 4, event: 'voidConfirmed', kind: 'moved', from: 'voiding', to: 'voided', at: 1 }],
    });
    const second = await read(first.until);
    expect(second.ids).toEqual([identity.paymentId]);
    expect((await read(second.until)).ids).toEqual([]);
  });
});

describe('the rolling sample', () => {
  it('goes from the newest payment to the oldest within its range', async () => {
    const apart = { environment: 'sandbox', application: 'shop' };
    const all = { before: null, reachMs: 60_000, limit: 1_000 };
    const tables = ['payments', 'plans', 'subscriptions', 'payouts'] as const;
    const sample = (of: typeof all | { before: string | null; reachMs: number; limit: number }) =>
      sampleSubjects(database.db, apart, tables, of);
    const newest = await sample(all);
    expect(newest).toEqual(newest.toSorted().toReversed());
    const [first = '', second] = newest;
    expect(await sample({ ...all, before: first, limit: 1 })).toEqual([second]);
    expect(await sample({ ...all, reachMs: -60_000 })).toEqual([]);
  });
});
