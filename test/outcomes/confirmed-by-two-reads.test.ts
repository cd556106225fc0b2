import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { Position } from '#workflows/lifecycle/payment/lifecycle.js';
import type { PaymentState } from '#workflows/lifecycle/payment';
import { openStage, type Stage, type StageWorker } from '../faults/dying-worker.js';
import { until } from '../helpers/until.js';
import { testWaitPolicy } from '../helpers/worker.js';
import { approved, held, liveUntil } from './live-on.js';

/** Every look comes after the horizon: what two of them show to be absent is proved to be. */
const promptly = { patience: { ...testWaitPolicy, outcomeHorizonMs: 1 } };
const dayLengthMs = 2_000;

let stage: Stage;
afterEach(() => stage.close());

async function leaveOut(field: string, times = 1): Promise<void> {
  await stage.sandbox.fault({ operation: 'payment.get', kind: 'reshape', remove: [field], times });
}

describe('one answer without a capture', () => {
  it('does not repeat it, even if the answer shows everything known before', async () => {
    stage = await openStage(promptly);
    const worker = stage.hireWorker();
    const first = await worker.take(await held(stage, worker), capture(1, 1_000));
    await stage.sandbox.fault({ operation: 'authorization.capture', kind: 'drop_reply' });
    const doubted = await worker.take(first, capture(2, 1_000));
    // [0] is the hold, [1] the capture that is known.
    await leaveOut('transactions[0].related_resources[2]');
    const ended = await liveUntil(worker, doubted, 'partially_captured');
    expect(ended.state.captures).toHaveLength(2);
    expect(await stage.books()).toEqual(['hold 10000', 'capture 1000', 'capture 1000']);
  });

  it('does not report it as refused after it has closed the hold', async () => {
    stage = await openStage(promptly);
    const worker = stage.hireWorker();
    const first = await worker.take(await held(stage, worker), capture(1, 1_000));
    await stage.sandbox.fault({ operation: 'authorization.capture', kind: 'drop_reply' });
    const doubted = await worker.take(first, { ...capture(2, 9_000), final: true });
    await leaveOut('transactions[0].related_resources[2]');
    await liveUntil(worker, doubted, 'captured');
    expect(await answersTo('cmd_2')).toEqual(['answered captureAnswered']);
  });

  it('does not report it as refused before the horizon, though the hold reads as captured', async () => {
    stage = await openStage({ patience: { ...testWaitPolicy, outcomeHorizonMs: 60_000 } });
    const worker = stage.hireWorker();
    const first = await worker.take(await held(stage, worker), capture(1, 1_000));
    await stage.sandbox.fault({ operation: 'authorization.capture', kind: 'drop_reply' });
    const doubted = await worker.take(first, { ...capture(2, 9_000), final: true });
    await leaveOut('transactions[0].related_resources[2]', 4);
    await liveUntil(worker, doubted, 'captured');
    expect(await answersTo('cmd_2')).toEqual(['answered captureAnswered']);
  });

  it('does not hide a part captured elsewhere when an event names the capture that ends the hold', async () => {
    stage = await openStage();
    const worker = stage.hireWorker();
    const authorized = await held(stage, worker);
    const amount = { total: '40.00', currency: 'USD' };
    const elsewhere = `/v1/payments/authorization/${holdOf(authorized.state)}/capture`;
    await stage.sandbox.postAsOwner(elsewhere, { amount, is_final_capture: false });
    await stage.sandbox.fault({ operation: 'authorization.capture', kind: 'drop_reply' });
    const doubted = await worker.take(authorized, { ...capture(1, 3_000), final: true });
    const own = (await stage.sandbox.movementsOf(stage.identity.paymentId)).find(
      ({ amountMinor }) => amountMinor === 3_000,
    );
    await leaveOut('**.capture');
    const eventType = 'PAYMENT.CAPTURE.COMPLETED';
    const hint = { type: 'providerNotified', eventType, resourceId: own?.captureId ?? '' } as const;
    const ended = await liveUntil(worker, await worker.take(doubted, hint), 'captured');
    const captured = ended.state.captures.map(({ minor }) => minor);
    expect(captured.toSorted((one, other) => one - other)).toEqual([3_000, 4_000]);
    expect(await stage.books()).toEqual(['hold 10000', 'capture 4000', 'capture 3000', 'release 3000']);
  });

  it('does not hide a part captured elsewhere from the void that ends the hold', async () => {
    stage = await openStage(promptly);
    const worker = stage.hireWorker();
    const authorized = await held(stage, worker);
    const amount = { total: '40.00', currency: 'USD' };
    const elsewhere = `/v1/payments/authorization/${holdOf(authorized.state)}/capture`;
    await stage.sandbox.postAsOwner(elsewhere, { amount, is_final_capture: false });
    await leaveOut('**.capture');
    const answered = await worker.take(authorized, { type: 'voidRequested', commandId: 'cmd_1' });
    const ended = await liveUntil(worker, answered, 'captured', 'voided');
    expect(ended.state.captures).toMatchObject([{ minor: 4_000 }]);
    expect(await stage.books()).toEqual(['hold 10000', 'capture 4000', 'release 6000']);
  });

  it('does not end the payment as voided when somebody captured a part elsewhere and voided the rest', async () => {
    stage = await openStage();
    const worker = stage.hireWorker();
    const authorized = await held(stage, worker);
    const hold = `/v1/payments/authorization/${holdOf(authorized.state)}`;
    const amount = { total: '40.00', currency: 'USD' };
    await stage.sandbox.postAsOwner(`${hold}/capture`, { amount, is_final_capture: false });
    await stage.sandbox.postAsOwner(`${hold}/void`, {});
    await leaveOut('**.capture');
    const hint = { type: 'providerNotified', eventType: 'PAYMENT.AUTHORIZATION.VOIDED' } as const;
    const hinted = await worker.take(authorized, hint);
    expect(hinted.state.status).toBe('authorized');
    const ended = await liveUntil(worker, hinted, 'captured', 'voided');
    expect(ended.state.status).toBe('captured');
    expect(await stage.books()).toEqual(['hold 10000', 'capture 4000', 'release 6000']);
  });
});

it('does not report a void with an unknown outcome as complete after a part was captured and the rest voided elsewhere', async () => {
  stage = await openStage(promptly);
  const worker = stage.hireWorker();
  const authorized = await held(stage, worker);
  await stage.sandbox.fault({ operation: 'authorization.void', kind: 'status', status: 500, times: null });
  const doubted = await worker.take(authorized, { type: 'voidRequested', commandId: 'cmd_1' });
  const hold = `/v1/payments/authorization/${holdOf(authorized.state)}`;
  const amount = { total: '40.00', currency: 'USD' };
  await stage.sandbox.clearFaults();
  await stage.sandbox.postAsOwner(`${hold}/capture`, { amount, is_final_capture: false });
  await stage.sandbox.postAsOwner(`${hold}/void`, {});
  const ended = await liveUntil(worker, doubted, 'captured', 'voided');
  expect(ended.state.status).toBe('captured');
  expect(await stage.books()).toEqual(['hold 10000', 'capture 4000', 'release 6000']);
});

describe('one answer that shows only the replaced hold', () => {
  it('does not confirm a void that was not executed', async () => {
    const { worker, authorized } = await holdToReauthorize();
    const reauthorized = await worker.take(authorized, reauthorize);
    expect(holdOf(reauthorized.state)).not.toBe(holdOf(authorized.state));
    await stage.sandbox.fault({ operation: 'authorization.void', kind: 'status', status: 500, times: null });
    const doubted = await worker.take(reauthorized, { type: 'voidRequested', commandId: 'cmd_2' });
    await stage.sandbox.clearFaults();
    await leaveOut('transactions[0].related_resources[1]');
    const ended = await liveUntil(worker, doubted, 'voided');
    expect(ended.state.status).toBe('voided');
    expect(await stage.books()).toEqual(['hold 10000', 'release 10000', 'hold 10000', 'release 10000']);
  });

  it.each([
    ['after the horizon', 1, 1],
    ['and again in the look that confirms it, before the horizon', 2, testWaitPolicy.outcomeHorizonMs],
  ])('%s does not refuse the reauthorization that it does not show', async (_, times, outcomeHorizonMs) => {
    const { worker, authorized } = await holdToReauthorize(outcomeHorizonMs);
    await stage.sandbox.fault({ operation: 'authorization.reauthorize', kind: 'drop_reply' });
    const doubted = await worker.take(authorized, reauthorize);
    await leaveOut('transactions[0].related_resources[1]', times);
    const ended = await liveUntil(worker, doubted, 'voided', 'authorized');
    expect(ended.state.status).toBe('authorized');
    expect(holdOf(ended.state)).not.toBe(holdOf(authorized.state));
    expect(await stage.books()).toEqual(['hold 10000', 'release 10000', 'hold 10000']);
    expect(await answersTo('cmd_1')).toEqual(['answered authorizationRenewed']);
  });
});

describe('one answer with an unknown state', () => {
  it('does not free a payment whose execution is about to be cancelled', async () => {
    stage = await openStage({ patience: { ...testWaitPolicy, outcomeHorizonMs: 600_000 } });
    const first = stage.hireWorker();
    const { position, payerId } = await approved(stage, first);
    const late = { kind: 'late', delayMs: 6_000, executeAfterMs: 4_000 };
    await stage.sandbox.fault({ operation: 'payment.execute', ...late });
    const lost = first.take(position, { type: 'payerApproved', payerId }).catch(() => undefined);
    const operations = async () => (await stage.sandbox.calls('limit=100')).map(({ operation }) => operation);
    await until(operations, (called) => called.includes('payment.execute'), 'the execution');
    await first.die();
    const next = stage.hireWorker();
    const doubted = await next.take(position, { type: 'payerApproved', payerId });
    expect(doubted.state.openStep?.phase).toBe('doubt');
    await stage.sandbox.fault({
      operation: 'payment.get',
      kind: 'unknown_enum',
      field: 'state',
      times: 1,
    });
    const looked = await next.take(doubted, { type: 'stepCameDue' });
    const turnedBack = await next.take(looked, { type: 'payerCancelled' });
    expect(turnedBack.state.status).toBe('authorizing');
    expect(await until(stage.books, (moved) => moved.length > 0, 'the late execution')).toEqual([
      'hold 10000',
    ]);
    await lost;
  });
});

const reauthorize = { type: 'reauthorizeRequested', commandId: 'cmd_1' } as const;

function capture(nth: number, minor: number) {
  return { type: 'captureRequested', commandId: `cmd_${nth}`, minor, final: false } as const;
}

/** Its honour period is over, and the provider will give it another id. */
async function holdToReauthorize(
  outcomeHorizonMs = 1,
): Promise<{ worker: StageWorker; authorized: Position }> {
  stage = await openStage({
    patience: { ...testWaitPolicy, outcomeHorizonMs },
    expiryPolicy: { action: 'expire' },
  });
  await stage.sandbox.configure({ dayLengthMs, reauthorizationId: 'new' });
  const worker = stage.hireWorker();
  const authorized = await held(stage, worker);
  const heldAt = authorized.state.authorization?.createdAt ?? 0;
  await wait(Math.max(0, heldAt + 3 * dayLengthMs + 100 - Date.now()));
  return { worker, authorized };
}

function holdOf({ authorization }: PaymentState): string {
  return authorization?.authorizationId ?? '';
}

/** What came of the attempts of a command. */
async function answersTo(commandId: string): Promise<string[]> {
  const rows = await stage.db
    .selectFrom('attempts')
    .selectAll()
    .where('subject_id', '=', stage.identity.paymentId)
    .where('step_name', '=', commandId)
    .execute();
  return rows.map(({ outcome, event }) => `${outcome} ${(event as { type: string }).type}`);
}
