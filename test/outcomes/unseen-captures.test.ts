import { afterEach, expect, it } from 'vitest';
import type { Position } from '#workflows/lifecycle/payment/lifecycle.js';
import { openStage, type Stage, type StageWorker } from '../faults/dying-worker.js';
import { commandOf, decided } from './decided-steps.js';
import { held, promptProvider } from './live-on.js';

let stage: Stage;
afterEach(() => stage.close());

/** Under review since its window's end: the provider called the hold captured and showed none of the captures. */
async function underReviewAfter(worker: StageWorker, ...totals: readonly string[]): Promise<Position> {
  const { state, version } = await held(stage, worker);
  const hold = `/v1/payments/authorization/${state.authorization?.authorizationId}/capture`;
  for (const total of totals)
    await stage.sandbox.postAsOwner(hold, { amount: { total, currency: 'USD' }, is_final_capture: false });
  return { state: { ...state, status: 'needs_review', lapsed: true }, version };
}

it('does not call a payment expired whose capture the provider shows by now, whatever an operator says', async () => {
  stage = await openStage(promptProvider);
  const worker = stage.hireWorker();
  const position = await underReviewAfter(worker, '100.00');
  const nothing = decided({ decision: 'did_not_happen', isUnverified: true });
  expect((await worker.take(position, nothing)).state).toEqual(position.state);
  expect(await commandOf(stage, nothing.commandId)).toMatchObject({
    status: 'refused',
    result: { code: 'contradicted_by_provider' },
  });
});

it('calls it expired on an operator’s word while the provider cannot be read, if that is marked as unverified', async () => {
  stage = await openStage(promptProvider);
  const worker = stage.hireWorker();
  const position = await underReviewAfter(worker);
  await stage.sandbox.fault({ operation: 'payment.get', kind: 'status', status: 503, times: null });
  const guessed = decided({ decision: 'did_not_happen' });
  expect((await worker.take(position, guessed)).state).toEqual(position.state);
  expect(await commandOf(stage, guessed.commandId)).toMatchObject({
    status: 'refused',
    result: { code: 'cannot_be_verified' },
  });
  const nothing = decided({ decision: 'did_not_happen', isUnverified: true });
  expect((await worker.take(position, nothing)).state).toMatchObject({ status: 'expired', released: true });
});

it('ends with all that was captured when an operator names one of several captures', async () => {
  stage = await openStage(promptProvider);
  const worker = stage.hireWorker();
  const position = await underReviewAfter(worker, '60.00', '40.00');
  const movements = await stage.sandbox.movementsOf(stage.identity.paymentId);
  const resourceId = movements.find(({ amountMinor }) => amountMinor === 4_000)?.captureId ?? '';
  const { state } = await worker.take(position, decided({ resourceId }));
  expect(state).toMatchObject({ status: 'captured', released: false });
  expect(state.captures.map(({ minor }) => minor).toSorted((one, other) => one - other)).toEqual([
    4_000, 6_000,
  ]);
});
