import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { type CommandOutcome, paymentRecords, writeTransition } from '#database/transitions';
import type { Capture, PaymentState } from '#workflows/lifecycle/payment';
import { forAllTests } from '../helpers/shared.js';
import { ApiFixture, authorizedState, openTemporal, runIdOf } from './api-fixture.js';

const api = forAllTests(() => ApiFixture.start());

/** The part that a lost task has shown: the row waits until its run knows it again. */
const shown: Capture = { captureId: 'CAP-SHOWN', minor: 1_000, status: 'completed', final: false };

async function capture(id: string, idempotencyKey: string) {
  const body = { amount: { value: '40.00', currency: 'USD' }, final: false };
  return await api.call('POST', `/v1/payments/${id}/captures`, { body, idempotencyKey });
}

function made(commandId: unknown): Capture {
  const captureId = `CAP-${String(commandId)}`;
  return { captureId, commandId: String(commandId), minor: 4_000, status: 'completed', final: false };
}

/** As a run writes it, which knows these captures and has carried out these commands. */
async function write(
  id: string,
  captures: readonly Capture[],
  carriedOut: readonly unknown[],
): Promise<void> {
  const commands = carriedOut.map((commandId): CommandOutcome => {
    return { commandId: String(commandId), kind: 'capture', status: 'succeeded' };
  });
  await writeState(id, { captures }, commands);
}

async function writeState(
  id: string,
  change: Partial<PaymentState>,
  commands: readonly CommandOutcome[],
): Promise<void> {
  const row = await api.db.selectFrom('payments').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const state = { ...row.state, ...change };
  const version = row.version + 1;
  await writeTransition(api.db, {
    records: paymentRecords,
    subject: row,
    state,
    version,
    commands,
    timeline: [],
  });
}

it('a capture is shown as succeeded once its payment shows it, not beside a row that waits', async () => {
  const id = await api.paymentWith({ ...authorizedState(), captures: [shown] });
  const key = randomUUID();
  const commandId = (await capture(id, key)).body['id'];

  await write(id, [made(commandId)], [commandId]);
  const payment = `https://payments.example/v1/payments/${id}`;
  const early = await capture(id, key);
  expect([early.status, early.headers.get('location')]).toEqual([202, payment]);
  expect(early.body).toMatchObject({
    state: 'executing',
    capture: null,
    payment: { amounts: { captured: { value: '10.00' } } },
  });

  await write(id, [shown, made(commandId)], []);
  const late = await capture(id, key);
  expect([late.status, late.headers.get('location')]).toEqual([
    201,
    `${payment}/captures/CAP-${String(commandId)}`,
  ]);
  expect(late.body).toMatchObject({
    state: 'succeeded',
    capture: { id: `CAP-${String(commandId)}` },
    payment: { amounts: { captured: { value: '50.00' } } },
  });
});

it('a capture that its payment has shown before stays succeeded while the row waits for another one', async () => {
  const id = await api.paymentWith(authorizedState());
  const [key, otherKey] = [randomUUID(), randomUUID()];
  const commandId = (await capture(id, key)).body['id'];
  await write(id, [made(commandId)], [commandId]);
  const otherId = (await capture(id, otherKey)).body['id'];

  await write(id, [made(otherId)], [otherId]);
  expect((await capture(id, otherKey)).status).toBe(202);
  expect((await capture(id, key)).status).toBe(201);
});

it('a decision is shown as succeeded once its payment has left the review, not beside a row that waits', async () => {
  const sale = { saleId: 'SALE-OTHER', minor: 9_000, status: 'pending' } as const;
  const id = await api.paymentWith({
    status: 'needs_review',
    providerPaymentId: `PAY-${randomUUID()}`,
    sale,
  });
  const key = randomUUID();
  // Accepted, and handed over to nobody: its run is lost.
  const temporal = await openTemporal();
  await temporal.workflow.getHandle(runIdOf(id)).terminate();
  await temporal.connection.close();
  expect((await keepAmount(id, key)).status).toBe(503);
  const { id: commandId } = await api.db
    .selectFrom('commands')
    .select('id')
    .where('subject_id', '=', id)
    .where('kind', '=', 'decide')
    .executeTakeFirstOrThrow();
  // A worker that has lost its task since.
  await api.moveTo(id, { sale: { ...sale, status: 'completed' } });

  const outcome: CommandOutcome = { commandId, kind: 'decide', status: 'succeeded', isUncalled: true };
  await writeState(id, { status: 'pending', sale, isHeldAmountAccepted: true }, [outcome]);
  const early = await keepAmount(id, key);
  expect(early.status).toBe(202);
  expect(early.body).toMatchObject({ state: 'executing', payment: { state: 'needs_review' } });

  await writeState(id, { status: 'completed', sale: { ...sale, status: 'completed' } }, []);
  const late = await keepAmount(id, key);
  expect(late.status).toBe(200);
  expect(late.body).toMatchObject({ state: 'succeeded', payment: { state: 'completed' } });
});

async function keepAmount(id: string, idempotencyKey: string) {
  const body = { decision: 'keep', reason: 'The payer knows of it.' };
  return await api.call('POST', `/v1/payments/${id}/review/decision`, { body, idempotencyKey });
}
