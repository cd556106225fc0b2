import { afterEach, describe, expect, it } from 'vitest';
import type { PaymentState } from '#workflows/lifecycle/payment';
import type { Position } from '#workflows/lifecycle/payment/lifecycle.js';
import { openStage, type Stage } from '../faults/dying-worker.js';
import { held, liveUntil, promptProvider } from './live-on.js';

let stage: Stage;
afterEach(() => stage.close());

const capture = (commandId: string) =>
  ({ type: 'captureRequested', commandId, minor: 4_000, final: false }) as const;

/** As if the outcome horizon were over: from now on absence is proof. */
function past({ state, version }: Position): Position {
  const { openStep } = state;
  if (!openStep) throw new Error('no step is open');
  const waited: PaymentState = { ...state, openStep: { ...openStep, horizonAt: Date.now() - 1 } };
  return { state: waited, version };
}

describe('case 4: a lookup after a lost reply', () => {
  it('proves nothing when the provider is down, however late it is', async () => {
    stage = await openStage(promptProvider);
    const worker = stage.hireWorker();
    const authorized = await held(stage, worker);
    await stage.sandbox.fault({ operation: 'authorization.capture', kind: 'drop_reply' });
    const inDoubt = await worker.take(authorized, capture('cmd_1'));
    await stage.sandbox.fault({ operation: 'payment.get', kind: 'status', status: 503, times: null });
    const looked = await worker.take(past(inDoubt), { type: 'stepCameDue' });
    expect(looked.state.openStep).toMatchObject({ phase: 'doubt', attempts: 0 });
    await stage.sandbox.clearFaults();
    await liveUntil(worker, looked, 'partially_captured');
    expect(await stage.books()).toEqual(['hold 10000', 'capture 4000']);
  });

  it('does not take an active hold for a released one', async () => {
    stage = await openStage(promptProvider);
    const worker = stage.hireWorker();
    const authorized = await held(stage, worker);
    await stage.sandbox.fault({ operation: 'authorization.void', kind: 'status', status: 500, times: null });
    const inDoubt = await worker.take(authorized, { type: 'voidRequested', commandId: 'cmd_1' });
    expect(inDoubt.state.openStep).toMatchObject({ phase: 'doubt' });
    await stage.sandbox.clearFaults();
    await liveUntil(worker, inDoubt, 'voided');
    expect(await stage.books()).toEqual(['hold 10000', 'release 10000']);
  });

  it('does not take an equal earlier capture for the one in doubt', async () => {
    stage = await openStage(promptProvider);
    const worker = stage.hireWorker();
    const once = await worker.take(await held(stage, worker), capture('cmd_1'));
    expect(once.state.captures).toHaveLength(1);
    await stage.sandbox.fault({ operation: 'authorization.capture', kind: 'status', status: 500 });
    const inDoubt = await worker.take(once, capture('cmd_2'));
    const ended = await liveUntil(worker, inDoubt, 'partially_captured');
    expect(ended.state.captures.map(({ commandId }) => commandId)).toEqual(['cmd_1', 'cmd_2']);
    expect(await stage.books()).toEqual(['hold 10000', 'capture 4000', 'capture 4000']);
  });
});

describe('case 5: an answer to a void', () => {
  it('that does not say "voided" leaves a doubt, which the next lookup ends', async () => {
    stage = await openStage(promptProvider);
    const worker = stage.hireWorker();
    const authorized = await held(stage, worker);
    const odd = {
      operation: 'authorization.void',
      kind: 'unknown_enum',
      field: 'state',
      value: 'authorized',
    };
    await stage.sandbox.fault(odd);
    const answered = await worker.take(authorized, { type: 'voidRequested', commandId: 'cmd_1' });
    expect(answered.state).toMatchObject({ status: 'voiding', openStep: { phase: 'doubt' } });
    await liveUntil(worker, answered, 'voided');
    expect(await stage.books()).toEqual(['hold 10000', 'release 10000']);
  });
});
