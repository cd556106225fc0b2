import { afterEach, describe, expect, it } from 'vitest';
import { findPayment } from '#database/subjects';
import type { Position } from '#workflows/lifecycle/payment/lifecycle.js';
import { openStage, type Stage, type StageWorker } from '../faults/dying-worker.js';
import { until } from '../helpers/until.js';
import { identitiesOf, liveUntil, promptProvider } from './live-on.js';

let stage: Stage;
afterEach(() => stage.close());

const statusOnRecord = async () => (await findPayment(stage.db, stage.identity))?.status;

async function created(worker: StageWorker): Promise<Position> {
  const position = await worker.follow(stage.ordered, { type: 'perform', step: { type: 'createPayment' } });
  return await liveUntil(worker, position, 'awaiting_approval');
}

/** From here on reads show what there is now: what follows is not shown. */
async function lagBehind(): Promise<void> {
  await stage.sandbox.fault({ operation: 'payment.get', kind: 'stale_read', lagMs: 30_000, times: null });
}

async function approval({ state }: Position) {
  const back = await stage.sandbox.approve(state.providerPaymentId ?? '');
  return { type: 'payerApproved', payerId: new URL(back).searchParams.get('PayerID') ?? '' } as const;
}

/** It goes on from what Temporal has kept: in a later task, and without what the lost one has done. */
const hireSuccessor = () => stage.hireWorker(Date.now() + 60_000);

describe('a worker executes a payment, and its run does not know it at the deadline', () => {
  it('stays authorized, as callers were told, when the read lags', async () => {
    stage = await openStage();
    const lost = stage.hireWorker(Date.now());
    const position = await created(lost);
    await lagBehind();
    await lost.take(position, await approval(position));
    expect(await statusOnRecord()).toBe('authorized');

    const taken = await hireSuccessor().take(position, { type: 'approvalTimedOut' });
    expect(taken.state.status).toBe('authorized');
    expect(await statusOnRecord()).toBe('authorized');
    expect(await stage.books()).toEqual(['hold 10000']);
    expect(await identitiesOf(stage, 'executePayment')).toMatchObject([{ outcome: 'answered' }]);
  });

  it('stays authorized when nothing can be read', async () => {
    stage = await openStage();
    const lost = stage.hireWorker(Date.now());
    const position = await created(lost);
    await lost.take(position, await approval(position));

    await stage.sandbox.fault({ operation: 'payment.get', kind: 'status', status: 503, times: null });
    const taken = await hireSuccessor().take(position, { type: 'approvalTimedOut' });
    expect(taken.state.status).toBe('authorized');
    expect(await statusOnRecord()).toBe('authorized');
  });

  it('is looked up when the read lags and the call has no answer yet', async () => {
    stage = await openStage(promptProvider);
    const lost = stage.hireWorker(Date.now());
    const position = await created(lost);
    await lagBehind();
    const approved = await approval(position);
    const operation = 'payment.execute';
    await stage.sandbox.fault({ operation, kind: 'late', executeAfterMs: 300, delayMs: 60_000 });
    void lost.take(position, approved).catch(() => undefined);
    await until(
      () => stage.sandbox.calls('inflight=true'),
      (calls) => calls.some((call) => call.operation === operation),
      'the call to be under way',
    );
    await lost.die();

    const successor = hireSuccessor();
    const taken = await successor.take(position, { type: 'approvalTimedOut' });
    expect(taken.state).toMatchObject({ status: 'authorizing', openStep: { phase: 'doubt' } });
    await stage.sandbox.clearFaults();
    await liveUntil(successor, taken, 'authorized');
    expect(await stage.books()).toEqual(['hold 10000']);
    expect(await identitiesOf(stage, 'executePayment')).toMatchObject([{ outcome: 'answered' }]);
  });

  it('ends if the provider has refused it because of a missing approval', async () => {
    stage = await openStage();
    const lost = stage.hireWorker(Date.now());
    const position = await created(lost);
    const refused = await lost.take(position, { type: 'payerApproved', payerId: 'PAYER-1' });
    expect(refused.state.status).toBe('awaiting_approval');

    const taken = await hireSuccessor().take(position, { type: 'approvalTimedOut' });
    expect(taken.state.status).toBe('expired');
    expect(await statusOnRecord()).toBe('expired');
    expect(await identitiesOf(stage, 'executePayment')).toMatchObject([{ outcome: 'declined' }]);
  });
});
