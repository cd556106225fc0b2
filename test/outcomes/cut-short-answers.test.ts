import { afterEach, describe, expect, it } from 'vitest';
import type { Position } from '#workflows/lifecycle/payment/lifecycle.js';
import { openStage, type Stage, type StageWorker } from '../faults/dying-worker.js';
import { testWaitPolicy } from '../helpers/worker.js';
import { approved, held, identitiesOf, liveUntil } from './live-on.js';

/** Every look comes after the horizon: what it shows to be absent is proved to be. */
const promptly = { patience: { ...testWaitPolicy, outcomeHorizonMs: 1 } };

let stage: Stage;
afterEach(() => stage.close());

/** Both answers of a look and of the one that confirms it. */
async function cutShort(operation: string, remove: readonly string[]): Promise<void> {
  await stage.sandbox.fault({ operation, kind: 'reshape', remove, times: 2 });
}

/** What a capture can be told by, each time less of it. */
const cuts: readonly (readonly [string, readonly string[]])[] = [
  ['transactions', ['transactions']],
  ['related resources', ['transactions[].related_resources']],
  ['captures', ['**.capture']],
  ['references', ['**.invoice_number']],
];

describe('an answer without its', () => {
  it.each(cuts)('%s does not prove that nothing was captured', async (_, removed) => {
    stage = await openStage(promptly);
    const worker = stage.hireWorker();
    const authorized = await held(stage, worker);
    await stage.sandbox.fault({ operation: 'authorization.capture', kind: 'drop_reply' });
    await cutShort('payment.get', removed);
    const ended = await liveUntil(worker, await capture(worker, authorized, 1), 'partially_captured');
    expect(ended.state.captures).toMatchObject([{ commandId: 'cmd_1', minor: 1_000, status: 'completed' }]);
    expect(await stage.books()).toEqual(['hold 10000', 'capture 1000']);
  });

  it('latest captures does not prove that one more was not made', async () => {
    stage = await openStage(promptly);
    const worker = stage.hireWorker();
    const first = await capture(worker, await held(stage, worker), 1);
    const second = await capture(worker, first, 2);
    await stage.sandbox.fault({ operation: 'authorization.capture', kind: 'drop_reply' });
    await cutShort(
      'payment.get',
      [2, 3].map((place) => `transactions[0].related_resources[${place}]`),
    );
    const ended = await liveUntil(worker, await capture(worker, second, 3), 'partially_captured');
    expect(ended.state.captures).toHaveLength(3);
    expect(await stage.books()).toEqual(['hold 10000', 'capture 1000', 'capture 1000', 'capture 1000']);
  });
});

it('an execution and its lookup without the instant of the hold do not make its days count from then on', async () => {
  stage = await openStage(promptly);
  const worker = stage.hireWorker();
  const { position, payerId } = await approved(stage, worker);
  for (const operation of ['payment.execute', 'payment.get']) await cutShort(operation, ['**.create_time']);
  const executed = await worker.take(position, { type: 'payerApproved', payerId });
  const { state } = await liveUntil(worker, executed, 'authorized');
  const { createdAt = 0, validUntil = 0 } = state.authorization ?? {};
  expect(validUntil - createdAt).toBe(29 * 86_400_000);
  expect(await stage.books()).toEqual(['hold 10000']);
  expect(await identitiesOf(stage, 'executePayment')).toHaveLength(1);
});

describe('a list without', () => {
  it.each([
    ['its payments', ['payments']],
    ['their transactions', ['payments[].transactions']],
    ['their references', ['**.custom', '**.invoice_number']],
  ])('%s does not prove that nothing was created', async (_, removed) => {
    stage = await openStage(promptly);
    const worker = stage.hireWorker();
    await stage.sandbox.configure({ approval: 'immediate' });
    await stage.sandbox.fault({ operation: 'payment.create', kind: 'drop_reply' });
    await cutShort('payment.list', removed);
    const ordered = await worker.follow(stage.ordered, { type: 'perform', step: { type: 'createPayment' } });
    await liveUntil(worker, ordered, 'authorized');
    expect(await stage.books()).toEqual(['hold 10000']);
    expect(await identitiesOf(stage, 'createPayment')).toHaveLength(1);
  });
});

/** 10.00 of the hold. */
async function capture(worker: StageWorker, from: Position, nth: number): Promise<Position> {
  return await worker.take(from, {
    type: 'captureRequested',
    commandId: `cmd_${nth}`,
    minor: 1_000,
    final: false,
  });
}
