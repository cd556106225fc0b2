import { afterEach, describe, expect, it } from 'vitest';
import { type Stage, openStage } from '../faults/dying-worker.js';
import {
  blind,
  capture,
  commandOf,
  decided,
  impatient,
  lost,
  referenceLost,
  underReview,
} from './decided-steps.js';

let stage: Stage;
afterEach(async () => {
  await stage.close();
});

async function doubted(faults: readonly Record<string, unknown>[]) {
  stage = await openStage({ patience: { ...impatient.patience, outcomeHorizonMs: 60_000 } });
  const worker = stage.hireWorker();
  const position = await underReview(stage, worker, capture, faults);
  const refusalOf = async (resourceId: string) => {
    const decision = decided({ resourceId, isUnverified: true });
    expect((await worker.take(position, decision)).state).toEqual(position.state);
    return await commandOf(stage, decision.commandId);
  };
  return { worker, position, refusalOf };
}

const anHourAgo = new Date(Date.now() - 3_600_000).toISOString();

describe('a capture that an operator names', () => {
  it.each([
    ['has a reference that is none of ours', { invoice_number: 'SHOP-77' }],
    ['was made before the request', { invoice_number: undefined, create_time: anHourAgo }],
    ['is in another currency', { amount: { total: '40.00', currency: 'EUR' } }],
  ])('is refused if it %s, even by a word that is not checked', async (_what, other) => {
    const { worker, position, refusalOf } = await doubted([lost, referenceLost]);
    const movements = await stage.sandbox.movementsOf(stage.identity.paymentId);
    const captureId = movements.find(({ kind }) => kind === 'capture')?.captureId ?? '';
    const add = Object.fromEntries(Object.entries(other).filter(([, value]) => value !== undefined));
    await stage.sandbox.fault({
      operation: 'capture.get',
      kind: 'reshape',
      remove: Object.keys(other),
      add,
      times: 1,
    });
    expect(await refusalOf(captureId)).toMatchObject({
      status: 'refused',
      result: { code: 'contradicted_by_provider' },
    });
    const { state } = await worker.take(position, decided({ resourceId: captureId }));
    expect(state).toMatchObject({ captures: [{ captureId, commandId: 'cmd_1', minor: 4_000 }] });
    expect(await stage.books()).toEqual(['hold 10000', 'capture 4000']);
  });

  it('is refused if its id is on record as something else, while the provider cannot be read', async () => {
    const { position, refusalOf } = await doubted([lost, ...blind]);
    const { authorization, providerPaymentId = '' } = position.state;
    for (const id of [authorization?.authorizationId ?? '', providerPaymentId])
      expect(await refusalOf(id)).toMatchObject({ status: 'refused' });
  });
});
