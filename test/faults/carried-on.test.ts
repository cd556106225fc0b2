import { afterEach, describe, expect, it } from 'vitest';
import type { PaymentState } from '#workflows/lifecycle/payment';
import type { Position } from '#workflows/lifecycle/payment/lifecycle.js';
import { until } from '../helpers/until.js';
import { openStage, type Stage, type StageWorker } from './dying-worker.js';

describe('a worker that continues the step of a dead worker', () => {
  let stage: Stage;
  afterEach(() => stage.close());

  const booked = (movement: string) => until(stage.books, (seen) => seen.includes(movement), movement);
  const step = { type: 'createPayment' } as const;

  /** The payer has approved, and nobody has told the engine. */
  async function approvedInSilence(worker: StageWorker): Promise<Position> {
    const created = await worker.follow(stage.ordered, { type: 'perform', step });
    await stage.sandbox.approve(created.state.providerPaymentId ?? '');
    return created;
  }

  async function held(worker: StageWorker): Promise<Position> {
    return await worker.take(await approvedInSilence(worker), { type: 'pollCameDue' });
  }

  it('finds the capture of a hold that it sees for the first time, and captures once', async () => {
    stage = await openStage({ capturePolicy: { mode: 'automatic' } });
    const first = stage.hireWorker();
    const waiting = await approvedInSilence(first);
    await stage.sandbox.fault({ operation: 'authorization.capture', kind: 'delay', delayMs: 60_000 });
    // Within one workflow task: sees the approval, executes, captures; and dies before the answer.
    void first.take(waiting, { type: 'pollCameDue' }).catch(() => undefined);
    await booked('capture 10000');
    await first.die();

    // It sees the hold at once, so for it there is nothing to execute.
    const second = stage.hireWorker();
    const resumed = await second.take(waiting, { type: 'pollCameDue' });
    expect(phaseOf(resumed)).toBe('doubt');
    const ended = await second.take(resumed, { type: 'stepCameDue' });
    expect(ended.state.status).toBe('captured');
    expect(await stage.books()).toEqual(['hold 10000', 'capture 10000']);
  });

  it('gives the repeat that a dead worker sent its own outcome horizon', async () => {
    stage = await openStage();
    const first = stage.hireWorker();
    const authorized = await held(first);
    await stage.sandbox.fault({ operation: 'authorization.capture', kind: 'status', status: 500 });
    const capture = { type: 'captureRequested', commandId: 'cmd_1', minor: 4_000, final: false } as const;
    const inDoubt = await first.take(authorized, capture);
    expect(phaseOf(inDoubt)).toBe('doubt');

    // The horizon has passed: proved undone, repeated within the same task, and the repeat is carried out late.
    const proved = past(inDoubt);
    await stage.sandbox.fault({
      operation: 'authorization.capture',
      kind: 'late',
      executeAfterMs: 1_500,
      delayMs: 60_000,
    });
    void first.take(proved, { type: 'stepCameDue' }).catch(() => undefined);
    await until(
      () => stage.sandbox.calls('inflight=true'),
      (calls) => calls.some(({ operation }) => operation === 'authorization.capture'),
      'the repeat',
    );
    await first.die();

    const second = stage.hireWorker();
    const resumed = await second.take(proved, { type: 'stepCameDue' });
    expect(phaseOf(resumed)).toBe('doubt');
    expect(resumed.state.openStep?.horizonAt).toBeGreaterThan(Date.now());
    await booked('capture 4000');
    const ended = await second.take(resumed, { type: 'stepCameDue' });
    expect(ended.state.status).toBe('partially_captured');
    expect(await stage.books()).toEqual(['hold 10000', 'capture 4000']);
  });

  it('refuses a void that came in between, because the dead worker had sent the capture', async () => {
    stage = await openStage({ expiryPolicy: { action: 'capture' } });
    const first = stage.hireWorker();
    const authorized = await held(first);
    await stage.sandbox.fault({ operation: 'authorization.capture', kind: 'delay', delayMs: 60_000 });
    void first.take(authorized, { type: 'settlementCameDue' }).catch(() => undefined);
    await booked('capture 10000');
    await first.die();

    // A message goes before a deadline: the second worker never comes to the policy's own capture.
    const second = stage.hireWorker();
    const ended = await second.take(authorized, { type: 'voidRequested', commandId: 'cmd_2' });
    expect(ended.state.status).toBe('captured');
    expect(await stage.books()).toEqual(['hold 10000', 'capture 10000']);
  });

  it.each(['denied', 'completed'] as const)(
    'leaves a capture %s as the dead worker recorded it, until it has read the capture itself',
    async (end) => {
      stage = await openStage();
      const first = stage.hireWorker(1);
      const authorized = await held(first);
      await stage.sandbox.configure({ captureOutcome: `pending_then_${end}`, captureSettleMs: 1 });
      const capture = { type: 'captureRequested', commandId: 'cmd_1', minor: 4_000, final: false } as const;
      const pending = await first.take(authorized, capture);
      const { captureId = '' } = pending.state.captures[0] ?? {};
      const settled = () => stage.sandbox.stateOfCapture(captureId);
      await until(settled, (state) => state === end, end);

      await first.lose(pending, { type: 'observe' });
      expect(await statusOnRecord()).toBe(end);

      // It comes by way of the creation, which is on record.
      const second = stage.hireWorker(2);
      await second.follow(stage.ordered, { type: 'perform', step });
      expect(await statusOnRecord()).toBe(end);
      const informed = await second.take(pending, { type: 'providerNotified', eventType: 'any' });
      expect(await statusOnRecord()).toBe(end);
      expect(informed.state.status).toBe(end === 'denied' ? 'authorized' : 'partially_captured');
    },
  );

  async function statusOnRecord(): Promise<string | undefined> {
    const { state } = await stage.db.selectFrom('payments').select('state').executeTakeFirstOrThrow();
    return state.captures[0]?.status;
  }
});

function phaseOf({ state }: Position): string | undefined {
  return state.openStep?.phase;
}

/** As if the outcome horizon were over. */
function past({ state, version }: Position): Position {
  const { openStep } = state;
  if (!openStep) throw new Error('no step is open');
  const settled: PaymentState = { ...state, openStep: { ...openStep, horizonAt: Date.now() - 1 } };
  return { state: settled, version };
}
