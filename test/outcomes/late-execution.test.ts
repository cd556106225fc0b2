import { afterEach, describe, expect, it, vi } from 'vitest';
import { until } from '../helpers/until.js';
import { openStage, type Stage } from '../faults/dying-worker.js';
import { held, identitiesOf, liveOn, liveUntil, promptProvider } from './live-on.js';

let stage: Stage;
afterEach(async () => {
  vi.useRealTimers();
  await stage.close();
});

const capture = { type: 'captureRequested', commandId: 'cmd_1', minor: 4_000, final: false } as const;

describe('a worker whose clock is wrong', () => {
  it('proves no absence before the horizon has passed by the database’s clock', async () => {
    stage = await openStage();
    const authorized = await held(stage, stage.hireWorker());
    await stage.sandbox.fault({
      operation: 'authorization.capture',
      kind: 'late',
      executeAfterMs: 2_500,
      delayMs: 60_000,
    });
    const sender = stage.hireWorker();
    void sender.take(authorized, capture).catch(() => undefined);
    await until(
      () => stage.sandbox.calls('inflight=true'),
      (calls) => calls.some(({ operation }) => operation === 'authorization.capture'),
      'the capture',
    );
    await sender.die();

    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000, shouldAdvanceTime: true });
    const hasty = stage.hireWorker();
    let position = await hasty.take(authorized, capture);
    expect(position.state.openStep).toMatchObject({ phase: 'doubt', attempts: 0 });
    const look = async () => (position = await hasty.take(position, { type: 'stepCameDue' }));
    await until(look, ({ state }) => state.openStep?.phase !== 'doubt', 'the late capture to be found');
    expect(position.state.status).toBe('partially_captured');
    expect(await identitiesOf(stage, 'captureAuthorization')).toHaveLength(1);
    expect(await stage.books()).toEqual(['hold 10000', 'capture 4000']);
  });

  it('sets an outcome horizon by the database’s clock even if its own clock is behind', async () => {
    stage = await openStage();
    const authorized = await held(stage, stage.hireWorker());
    await stage.sandbox.fault({ operation: 'authorization.capture', kind: 'status', status: 500 });
    const before = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now: before - 3_600_000, shouldAdvanceTime: true });
    const backward = await stage.hireWorker().take(authorized, capture);
    vi.useRealTimers();
    const { outcomeHorizonMs } = authorized.state.order.patience;
    expect(backward.state.openStep?.horizonAt).toBeGreaterThanOrEqual(before + outcomeHorizonMs);
  });
});

describe('a refusal of a repeat', () => {
  it('proves nothing while the first request may have been carried out later than the provider promised', async () => {
    stage = await openStage(promptProvider);
    const worker = stage.hireWorker();
    const authorized = await held(stage, worker);
    await stage.sandbox.fault({
      operation: 'authorization.capture',
      kind: 'garbage',
      body: 'html',
      status: 500,
    });
    // Longer than the horizon allows for: the proof of absence is wrong, and the repeat meets what it repeats.
    await stage.sandbox.fault({ operation: 'payment.get', kind: 'stale_read', lagMs: 30_000, times: null });
    const taken = await worker.take(authorized, { type: 'captureRequested', commandId: 'cmd_1' });
    const repeated = await liveOn(worker, taken, ({ state }) => state.openStep?.attempts === 1);
    await stage.sandbox.clearFaults();
    const ended = await liveUntil(worker, repeated, 'captured');
    expect(ended.state.captures).toMatchObject([{ commandId: 'cmd_1', status: 'completed' }]);
    expect(await stage.books()).toEqual(['hold 10000', 'capture 10000']);
    const outcomes = (await identitiesOf(stage, 'captureAuthorization')).map(({ outcome }) => outcome);
    expect(outcomes).toEqual(['undone', 'answered']);
    const command = await stage.db
      .selectFrom('commands')
      .select(['status'])
      .where('id', '=', 'cmd_1')
      .execute();
    expect(command).toEqual([{ status: 'succeeded' }]);
  });
});
