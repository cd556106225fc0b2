import { afterEach, beforeEach, expect, it } from 'vitest';
import { adoptedRefundId } from '#database/subjects';
import {
  advanceRefund,
  type RefundClaim,
  type RefundState,
  observedRefund,
} from '#workflows/lifecycle/refund';
import { openStage } from '../faults/dying-worker.js';
import { forEachTest } from '../helpers/shared.js';
import { testWaitPolicy } from '../helpers/worker.js';
import { capturedPayment, type RefundWorker, hireRefundWorker, shop } from './refund-worker.js';
import { outcomeOf } from '../helpers/outcome-of.js';

let worker: RefundWorker;
let activities: RefundWorker['activities'];
let captureId: string;
const stage = forEachTest(() => openStage({ capturePolicy: { mode: 'automatic' } }));
beforeEach(async () => {
  worker = hireRefundWorker(stage);
  ({ activities } = worker);
  ({ captureId } = await capturedPayment(stage));
  // As of a capture made by hand, or in doubt, that no read has shown yet: only the payment is known.
  await stage.db.deleteFrom('resources').where('resource_id', '=', captureId).execute();
});
afterEach(async () => {
  await worker.close();
});

async function read(claim: Exclude<RefundClaim, { kind: 'request' }>): Promise<RefundState> {
  const reported = claim.kind === 'refund' ? claim.providerRefundId : 'WH-1';
  const identity = { ...shop, refundId: adoptedRefundId(shop, reported) };
  const state = observedRefund(claim, stage.identity.paymentId, testWaitPolicy, Date.now());
  const position = { state, version: 0 };
  const { event, at } = await outcomeOf(activities.observeRefund({ identity, ...position, timeline: [] }));
  return advanceRefund(position, event, at).position.state;
}

it('a chargeback of an unread capture is known by the payment that the answer names', async () => {
  await stage.sandbox.chargeBack(captureId);
  const state = await read({ kind: 'reversal', collected: { kind: 'capture', id: captureId } });
  expect(state).toMatchObject({ status: 'completed', amount: { minor: 100_00 } });
});

it('a chargeback is not taken for another’s because one answer leaves out its payment', async () => {
  await stage.sandbox.chargeBack(captureId);
  await stage.sandbox.fault({
    kind: 'reshape',
    operation: 'capture.get',
    remove: ['parent_payment', 'links'],
    times: 1,
  });
  const state = await read({ kind: 'reversal', collected: { kind: 'capture', id: captureId } });
  expect(state.status).toBe('observed');
});

it('a refund made elsewhere is not taken for another’s because its answers leave out its payment', async () => {
  const providerRefundId = await stage.sandbox.refundElsewhere(captureId, '40.00');
  for (const operation of ['capture.get', 'refund.get'])
    await stage.sandbox.fault({ kind: 'reshape', operation, remove: ['parent_payment', 'links'], times: 1 });
  const state = await read({ kind: 'refund', providerRefundId });
  expect(state.status).toBe('observed');
});
