import { type Kysely, sql } from 'kysely';
import { Client } from 'pg';
import { describe, expect, it } from 'vitest';
import { type Database, isDatabaseAway, openDatabase } from '#database/connection';
import * as visibleDoubt from '#database/connection/migrations/0015-visible-doubt.js';
import { type PaymentFilter, findPayment, listPayments } from '#database/subjects/payments.js';
import { writeTransition, listTimeline } from '#database/transitions';
import { journalWebhookEvent } from '#database/events';
import { callsOf } from './calls-of.js';
import { acceptPayment } from '#database/commands';
import { withUsualTimeouts } from '../helpers/database.js';
import { until } from '../helpers/until.js';
import { now, payment } from '../lifecycle/payment/sample-payments.js';
import {
  atOnce,
  authorizationEvent,
  newIdentity,
  newPayment,
  useEngineDatabase,
  orderCommand,
  owner,
  storePayment,
  transition,
} from './engine-database.js';

const engine = useEngineDatabase();

it('commits durably where the database has that switched off', async () => {
  const { url: databaseUrl } = engine;
  const name = new URL(databaseUrl).pathname.slice(1);
  await sql`alter database ${sql.id(name)} set synchronous_commit = off`.execute(engine.db);
  const db = openDatabase(databaseUrl);
  try {
    const { rows } = await sql<{ synchronous_commit: string }>`show synchronous_commit`.execute(db);
    expect(rows).toEqual([{ synchronous_commit: 'on' }]);
  } finally {
    await db.destroy();
    await sql`alter database ${sql.id(name)} reset synchronous_commit`.execute(engine.db);
  }
});

describe('the version that callers see', () => {
  it('is that of the last line of the timeline, and never lower than one that was shown before', async () => {
    const { db } = engine;
    const identity = await storePayment(db);
    const write = async (version: number, event?: string) => {
      const line = { version, kind: 'moved', from: 'authorized', to: 'authorized', at: version } as const;
      const timeline = event === undefined ? [] : [{ ...line, event }];
      await writeTransition(db, { ...transition(identity, payment('authorized'), version), timeline });
    };
    const shown = async () => (await findPayment(db, identity))?.shown_version;
    await write(1, 'authorizationGranted');
    await write(22);
    expect(await shown()).toBe(1);

    // As of the migration callers had been shown 22.
    for (const table of ['payments', 'refunds', 'plans', 'subscriptions', 'payouts'])
      await sql`alter table ${sql.table(table)} drop column version_floor`.execute(db);
    await sql`alter table drift drop column is_unread`.execute(db);
    await visibleDoubt.up(db as unknown as Kysely<unknown>);
    expect(await shown()).toBe(22);
    await write(23);
    expect(await shown()).toBe(22);
    await write(24, 'captureRequested');
    expect(await shown()).toBe(24);
  });
});

describe('a list of payments', () => {
  const filter: PaymentFilter = { ...owner, orderId: 'listed', limit: 2 };

  it('is read page by page, newest first, each payment once, even while new ones arrive', async () => {
    const ids = Array.from({ length: 5 }, (_, i) => `pay_listed_${i}`);
    for (const paymentId of ids) await order(paymentId, 'listed');
    const pages: string[][] = [];
    for (let before: string | undefined; ; before = pages.at(-1)?.at(-1)) {
      const { rows: page } = await listPayments(engine.db, {
        ...filter,
        ...(before !== undefined && { before }),
      });
      if (page.length === 0) break;
      pages.push(page.map(({ id }) => id));
      await order(`pay_listed_9${pages.length}`, 'listed');
    }
    expect(pages).toEqual([[ids[4], ids[3]], [ids[2], ids[1]], [ids[0]]]);
  });

  it('is filtered by status, and holds nothing of another owner', async () => {
    await order('pay_other_owner', 'narrowed', { application: 'another' });
    await order('pay_creating', 'narrowed');
    await order('pay_captured', 'narrowed');
    await writeTransition(
      engine.db,
      transition({ ...owner, paymentId: 'pay_captured' }, payment('captured'), 1),
    );
    const list = async (narrowed: Partial<PaymentFilter>) =>
      (await listPayments(engine.db, { ...filter, orderId: 'narrowed', limit: 10, ...narrowed })).rows.map(
        ({ id }) => id,
      );
    expect(await list({})).toEqual(['pay_creating', 'pay_captured']);
    expect(await list({ statuses: ['captured'] })).toEqual(['pay_captured']);
    expect(await list({ application: 'another' })).toEqual(['pay_other_owner']);
  });
});

describe('text that PostgreSQL cannot store', () => {
  const hostile = 'a\0b\ud800c';

  it('in a provider answer does not stop its payment from being written', async () => {
    const identity = await storePayment(engine.db);
    await writeTransition(engine.db, {
      ...transition(identity, { ...payment('declined'), reason: hostile }, 1),
      timeline: [
        {
          version: 1,
          event: 'stepDeclined',
          kind: 'moved',
          from: 'creating',
          to: 'declined',
          at: now,
          detail: hostile,
        },
      ],
      calls: [
        {
          operation: 'payment.create',
          method: 'POST',
          path: `/x${hostile}`,
          status: 400,
          startedAt: new Date(),
          durationMs: 1.4,
          response: { [hostile]: hostile },
        },
      ],
    });
    const [call] = await callsOf(engine.db, identity.paymentId);
    expect(call).toMatchObject({ duration_ms: 1, response: { 'a\ufffdb\ufffdc': 'a\ufffdb\ufffdc' } });
    const [reported] = await listTimeline(engine.db, identity.paymentId);
    expect(reported?.detail).toBe('a\ufffdb\ufffdc');
  });

  it('in an event does not stop it from being journaled', async () => {
    const event = { ...authorizationEvent(newIdentity()), payload: { summary: hostile } };
    expect((await journalWebhookEvent(engine.db, event)).isNew).toBe(true);
  });
});

describe('a process that hangs in a transaction', () => {
  it('holds its locks no longer than its time limit', async () => {
    const { paymentId } = await storePayment(engine.db);
    const touch = (db: Database) =>
      db.updateTable('payments').set({ order_id: 'touched' }).where('id', '=', paymentId).execute();
    const still = openDatabase(engine.url, { poolSize: 1, idleInTransactionMs: 200 });
    const [locked, toGoOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const standing = failureOf(
      still.transaction().execute(async (trx) => {
        await touch(trx);
        locked.resolve();
        await toGoOn.promise;
        await touch(trx);
      }),
    );
    await locked.promise;
    await touch(engine.db);
    toGoOn.resolve();
    expect(isDatabaseAway(await standing)).toBe(true);
    await still.destroy();
  });
});

describe('a database that is down', () => {
  it('is distinguished from a wrong statement', async () => {
    const nowhere = openDatabase('postgres://127.0.0.1:1/nowhere', { connectTimeoutMs: 500 });
    expect(isDatabaseAway(await failureOf(nowhere.selectFrom('payments').selectAll().execute()))).toBe(true);
    await nowhere.destroy();
    const { db } = engine;
    const wrong = db
      .selectFrom('payments')
      .selectAll()
      .where('version', '=', 'x' as never)
      .execute();
    expect(isDatabaseAway(await failureOf(wrong))).toBe(false);
    expect(isDatabaseAway(new Error('a bug of ours'))).toBe(false);
    expect(isDatabaseAway('text')).toBe(false);
  });

  it('is noticed when it stops during a statement, and is used again when it is back', async () => {
    const db = openDatabase(engine.url, { poolSize: 1 });
    const admin = new Client({ connectionString: engine.url });
    await admin.connect();
    const { rows } = await db.executeQuery<{ pid: number }>({
      ...db.selectNoFrom((eb) => eb.fn<number>('pg_backend_pid', []).as('pid')).compile(),
    });
    const sleeping = failureOf(
      db.selectNoFrom((eb) => eb.fn('pg_sleep', [eb.val(60)]).as('slept')).execute(),
    );
    await admin.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
    expect(isDatabaseAway(await sleeping)).toBe(true);
    const again = () =>
      db
        .selectFrom('payments')
        .select('id')
        .limit(0)
        .execute()
        .catch(() => undefined);
    await until(again, (rowsAgain) => rowsAgain !== undefined, 'a new connection');
    await Promise.all([db.destroy(), admin.end()]);
  });

  it.each([
    ['its own limit', '', { connectTimeoutMs: 1_000 }],
    ['that of the address, which goes before', '?connect_timeout=1', { connectTimeoutMs: 3_600_000 }],
  ])('gives up waiting for a free connection after %s', async (_limit, parameters, options) => {
    const url = withUsualTimeouts(engine.url).href + parameters;
    const db = openDatabase(url, { poolSize: 1, ...options });
    await db.connection().execute(async () => {
      const [failure] = await atOnce(1, () => failureOf(db.selectFrom('payments').select('id').execute()));
      expect(isDatabaseAway(failure)).toBe(true);
    });
    await db.destroy();
  });
});

async function order(
  paymentId: string,
  orderId: string,
  elsewhere: { application?: string } = {},
): Promise<void> {
  await acceptPayment(
    engine.db,
    { ...orderCommand({ ...owner, paymentId }), ...elsewhere },
    newPayment(orderId),
  );
}

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return await work.then(
    () => undefined,
    (error: unknown) => error,
  );
}
