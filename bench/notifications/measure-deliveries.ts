import { sql } from 'kysely';
import { announceChange, type Database, openDatabase } from '#database/connection';
import { applicationName } from '#tools/stack-environment.js';
import { carryThrough } from '../harness/lifecycle.js';
import { processorMs } from '../harness/processor-time.js';
import { until } from '../harness/until.js';
import { paymentIdOf } from '../webhooks/bench-stack.js';
import { copyPayment } from '../webhooks/copied-payments.js';
import { type Endpoint, isAllDelivered } from './endpoint.js';
import type { NotificationStack } from './notification-stack.js';
import type { NotificationPlan } from './plan.js';
import { type BareOutbox, startBareOutbox } from './processes.js';

/**
 * - `engine`: the API's own dispatcher.
 * - `bare`: as many loops as the engine has requests open, one row each.
 * - `batched`: one loop that sends as many rows at a time.
 */
const sides = ['engine', 'bare', 'batched'] as const;
type Side = (typeof sides)[number];

/** As many requests may be open to one endpoint from an API process. */
const underWay = 16;

/** A hundredth of a turn: a look costs the database as much as a delivery. */
const lookEveryMs = 50;

export interface DeliveryFigures {
  /** Notifications a second, one figure per round. */
  readonly perSecond: Readonly<Record<Side, number[]>>;
  /** Milliseconds of processor time of sender and PostgreSQL for each; empty where the system does not tell. */
  readonly processorMs: Readonly<Record<Side, number[]>>;
}

/**
 * A backlog of notifications of as many payments, sent to the same receiver in turns: the engine's by the real API, the
 * rivals' from a table in a database of the same server. All send the same bytes.
 */
export async function measureDeliveries(
  bench: NotificationStack,
  plan: NotificationPlan,
  signal: AbortSignal,
): Promise<DeliveryFigures> {
  const range = await openRange(bench, plan);
  try {
    // The engine first: it makes the bodies that the rivals send.
    for (const side of sides) await range[side]();
    const figures: DeliveryFigures = { perSecond: emptySides(), processorMs: emptySides() };
    for (let round = 0; round < plan.rounds; round += 1) {
      for (const side of [...sides.slice(round % 3), ...sides.slice(0, round % 3)]) {
        signal.throwIfAborted();
        const { perSecond, usedMs } = await range[side]();
        figures.perSecond[side].push(perSecond);
        if (usedMs !== undefined) figures.processorMs[side].push(usedMs);
      }
    }
    return figures;
  } finally {
    await range.close();
  }
}

function emptySides(): Record<Side, number[]> {
  return { engine: [], bare: [], batched: [] };
}

interface Turn {
  readonly perSecond: number;
  readonly usedMs: number | undefined;
}

type Range = Readonly<Record<Side, () => Promise<Turn>>> & { close(): Promise<void> };

async function openRange(bench: NotificationStack, plan: NotificationPlan): Promise<Range> {
  const { stack, db, receiverUrl: url } = bench;
  const { workflowId } = await carryThrough(bench.engine, bench.payer);
  const from = stack.addresses.engineDatabase;
  const copying = { from, to: from, application: applicationName };
  const payments = await copyPayment(copying, paymentIdOf(workflowId), plan.notifications);
  const ids = payments.map(({ id }) => id);
  const endpoint = await bench.register();
  const bareUrl = await stack.enginePostgres.ensureDatabase('bare_outbox');
  const bareDb = openDatabase(bareUrl);
  await sql`create table bare_outbox (id text primary key, body text not null)`.execute(bareDb);
  const receiver = { url, secret: endpoint.secret };
  const bare = await startBareOutbox(bareUrl, receiver, { loops: underWay, rows: 1 });
  const batched = await startBareOutbox(bareUrl, receiver, { loops: 1, rows: underWay });
  const postgres = stack.enginePostgres.process.pid;
  const sendBare = (outbox: BareOutbox) => async (): Promise<Turn> => {
    await fillBare(db, bareDb, plan.notifications);
    return await timed([outbox.pid, postgres], plan.notifications, () => outbox.sendAll());
  };
  return {
    engine: async () => {
      await fillEngine(db, endpoint, ids);
      return await timed([stack.apis[0]?.pid, postgres], ids.length, () => release(db, endpoint));
    },
    bare: sendBare(bare),
    batched: sendBare(batched),
    async close() {
      bare.close();
      batched.close();
      await bareDb.destroy();
    },
  };
}

/** As a transition writes them; the endpoint takes none until it is enabled. */
async function fillEngine(db: Database, { id }: Endpoint, payments: readonly string[]): Promise<void> {
  await sql`update notification_endpoints set status = 'disabled' where id = ${id}`.execute(db);
  await sql`
    with written as (
      insert into notifications (environment, application, type, subject_id, version, state)
      select environment, application, 'payment.captured', id, version, state from payments where id = any(${payments})
      returning sequence, subject_id
    )
    insert into notification_deliveries (endpoint_id, sequence, lane)
    select ${id}, sequence, subject_id from written`.execute(db);
  await settle(db);
}

async function release(db: Database, endpoint: Endpoint): Promise<void> {
  await sql`update notification_endpoints set status = 'enabled' where id = ${endpoint.id}`.execute(db);
  await announceChange(db, endpoint.id);
  await until(() => isAllDelivered(db, endpoint), lookEveryMs);
}

/** What the engine has sent last. */
async function fillBare(db: Database, bareDb: Database, count: number): Promise<void> {
  const { rows } = await sql<{ id: string; body: string }>`select id, payload as body from notifications
    where payload is not null order by sequence desc limit ${count}`.execute(db);
  await sql`insert into bare_outbox (id, body)
    select id, body from json_to_recordset(${JSON.stringify(rows)}) as each (id text, body text)`.execute(
    bareDb,
  );
  await settle(bareDb);
}

/** What is still to be written must not be written while something is measured. */
async function settle(db: Database): Promise<void> {
  await sql`vacuum analyze`.execute(db);
  await sql`checkpoint`.execute(db);
}

async function timed(
  pids: readonly (number | undefined)[],
  count: number,
  send: () => Promise<void>,
): Promise<Turn> {
  const used = (): number | undefined => processorMs({ all: pids })?.['all'];
  const before = used();
  const startedAt = performance.now();
  await send();
  const perSecond = count / ((performance.now() - startedAt) / 1_000);
  const after = used();
  return {
    perSecond,
    usedMs: before === undefined || after === undefined ? undefined : (after - before) / count,
  };
}
