import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { Client } from 'pg';
import { beforeAll, expect, it } from 'vitest';
import { runRecovery } from '#proof/recovery/run-recovery.js';
import type { PaymentView } from '../helpers/order-service.js';
import { forAllTests } from '../helpers/shared.js';
import { until } from '../helpers/until.js';
import { isReported, startWholeSystem, untilAnswered } from './whole-system.js';

const patience = { OUTCOME_HORIZON_MS: '6000', FIRST_POLL_MS: '900000', LONGEST_POLL_MS: '900000' };
const worker = {
  ...patience,
  RECONCILE_INTERVAL_MS: '5000',
  RECONCILE_LOST_AFTER_MS: '5000',
  RECONCILE_OVERLAP_MS: '8000',
};

const system = forAllTests(() =>
  startWholeSystem({ api: { ...patience, ANSWER_WITHIN_MS: '3000' }, worker }),
);
beforeAll(async () => {
  await system.sandbox.configure({ approval: 'immediate' });
});

const part = { amount: { value: '40.00', currency: 'USD' } };
/** A second one would be refused by the row, if it were not a repeat. */
const most = { amount: { value: '60.00', currency: 'USD' } };
const payout = {
  reference: 'commissions-2026-11',
  emailSubject: 'Your commission',
  items: [
    {
      itemId: 'c-1',
      receiver: { type: 'EMAIL', value: 'receiver@example.com' },
      amount: { value: '12.00', currency: 'USD' },
    },
  ],
};

async function payOut(key: string) {
  return await system.orders.post<{ id: string; code: string; payoutId: string }>('/v1/payouts', key, payout);
}

async function authorized(key: string = randomUUID()): Promise<PaymentView> {
  const { body } = await untilAnswered(() => system.orders.order({ orderId: `order-${key}` }, key));
  return await isReported(system.orders, body.id, 'authorized');
}

async function dataDirectory(): Promise<string> {
  const db = new Client({ connectionString: system.stack.addresses.engineDatabase });
  await db.connect();
  try {
    const { rows } = await db.query<{ data_directory: string }>('show data_directory');
    return rows[0]?.data_directory ?? '';
  } finally {
    await db.end();
  }
}

async function stopEngine(): Promise<void> {
  const { workers, apis, enginePostgres } = system.stack;
  await Promise.all([...workers, ...apis].map((process) => process.stop()));
  await enginePostgres.process.stop();
}

async function startEngine(): Promise<void> {
  const { workers, apis } = system.stack;
  await Promise.all([...workers, ...apis].map((process) => process.start()));
}

/** With owner, mode and times, as a backup tool does it. */
function copyFolder(from: string, to: string): void {
  execFileSync('cp', ['-a', from, to]);
}

/** The capture was carried out, and its worker was killed before it had the answer. */
async function captureAndDie(id: string, captureBegins: () => Promise<unknown>): Promise<void> {
  const { sandbox, stack } = system;
  await sandbox.fault({
    operation: 'authorization.capture',
    kind: 'late',
    executeAfterMs: 100,
    delayMs: 60_000,
  });
  await captureBegins();
  await until(
    () => sandbox.booksOf(id),
    (books) => books.length === 2,
    'the capture to be booked',
  );
  await Promise.all(stack.workers.map((process) => process.kill()));
  await sandbox.clearFaults();
}

it('captures, holds, orders and pays out nothing twice, and refuses nothing that was done, after the engine’s database was restored to an earlier moment', async ({
  signal,
}) => {
  const { stack, orders, sandbox } = system;
  const [parted, ended, accepted] = [await authorized(), await authorized(), await authorized()];
  const [sold, owed] = [await authorized(), await authorized()];
  for (const { id } of [sold, owed]) await untilAnswered(() => orders.capture(id));
  // Accepted before the backup, and carried out after it.
  const [acceptedKey, partedKey, endedKey, orderKey] = Array.from({ length: 4 }, () => randomUUID());
  const [payoutKey, refundKey, owedKey] = [randomUUID(), randomUUID(), randomUUID()];
  await Promise.all(stack.workers.map((process) => process.stop()));
  expect((await orders.capture(accepted.id, part, acceptedKey)).status).toBe(202);
  const data = await dataDirectory();
  await stopEngine();
  copyFolder(data, `${data}.backup`);
  const backedUpAt = new Date();
  await stack.enginePostgres.process.start();
  await captureAndDie(accepted.id, startEngine);
  await Promise.all(stack.workers.map((process) => process.start()));

  await untilAnswered(() => orders.capture(parted.id, most, partedKey));
  await untilAnswered(() => orders.capture(ended.id, {}, endedKey));
  // Its run is open when the engine stops.
  await sandbox.fault({ operation: 'payout.get', kind: 'status', status: 503, times: null });
  const paid = (await untilAnswered(() => payOut(payoutKey))).body;
  const refunded = (await untilAnswered(() => orders.refund(sold.id, part, refundKey))).body;
  await sandbox.fault({ operation: 'capture.refund', kind: 'status', status: 503, times: null });
  const open = (await orders.refund(owed.id, part, owedKey)).body;
  const ordered = await authorized(orderKey);
  await stopEngine();
  rmSync(data, { recursive: true });
  copyFolder(`${data}.backup`, data);
  await stack.enginePostgres.process.start();
  await runRecovery(stack, worker, signal, ['--restored-to', backedUpAt.toISOString()]);
  await startEngine();

  // Its run can still make it: it reserves its amount, under its first id.
  const { refunds: reserved } = await orders.get(owed.id);
  expect(reserved).toMatchObject([{ id: open.id, state: 'requesting', origin: 'order_service' }]);
  await sandbox.clearFaults();
  const again = await untilAnswered(() => orders.order({ orderId: `order-${orderKey}` }, orderKey));
  expect(again.body.id).toBe(ordered.id);
  await isReported(orders, ordered.id, 'authorized');
  await isReported(orders, parted.id, 'partially_captured');
  await isReported(orders, accepted.id, 'partially_captured');
  // Their runs have seen these two, whose outcomes were lost with the rows.
  expect((await orders.capture(parted.id, most, partedKey)).status).toBe(202);
  expect((await orders.capture(ended.id, {}, endedKey)).status).toBe(202);
  expect(await payOut(randomUUID())).toMatchObject({
    status: 409,
    body: { code: 'duplicate_reference', payoutId: paid.id },
  });
  expect((await untilAnswered(() => payOut(payoutKey))).body.id).toBe(paid.id);
  expect((await untilAnswered(() => orders.capture(accepted.id, part, acceptedKey))).status).toBe(201);
  // The search of the provider's events finds it, and knows whose it is.
  const told = await until(
    () => orders.refund(sold.id, part, refundKey),
    ({ status }) => status === 201,
    'the lost refund to be shown again',
    120_000,
  );
  expect(told.body).toMatchObject({ id: refunded.id, state: 'completed', origin: 'order_service' });
  const made = await until(
    () => orders.refund(owed.id, part, owedKey),
    ({ status }) => status === 201,
    'the open refund to be made',
    180_000,
  );
  expect(made.body).toMatchObject({ id: open.id, state: 'completed' });
  expect(await sandbox.booksOf(owed.id)).toEqual(['hold 10000', 'capture 10000', 'refund 4000']);
  const { refunds, amounts } = await orders.get(sold.id);
  expect(refunds.filter(({ state }) => state !== 'unfounded').map(({ id }) => id)).toEqual([refunded.id]);
  expect(amounts.refunded.value).toBe('40.00');
  const drift = await until(
    () => orders.read<{ data: { subjectId: string; field: string }[] }>('/v1/drift?resolved=false'),
    (seen) => seen.data.some(({ field }) => field === 'run'),
    'the run that has ended to be reported',
  );
  expect(drift.data).toContainEqual(expect.objectContaining({ subjectId: ended.id, field: 'run' }));
  expect(await sandbox.booksOf(ordered.id)).toEqual(['hold 10000']);
  expect(await sandbox.booksOf(parted.id)).toEqual(['hold 10000', 'capture 6000']);
  expect(await sandbox.booksOf(accepted.id)).toEqual(['hold 10000', 'capture 4000']);
  expect(await sandbox.booksOf(ended.id)).toEqual(['hold 10000', 'capture 10000']);
  const movements = await sandbox.movements();
  expect(movements.filter(({ kind }) => kind === 'hold')).toHaveLength(6);
  expect(movements.filter(({ kind }) => kind === 'payout')).toHaveLength(1);
  expect(await sandbox.booksOf(sold.id)).toEqual(['hold 10000', 'capture 10000', 'refund 4000']);
});
