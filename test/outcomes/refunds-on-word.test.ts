import { afterEach, beforeEach, expect, it } from 'vitest';
import { advanceRefund } from '#workflows/lifecycle/refund/lifecycle.js';
import { openStage } from '../faults/dying-worker.js';
import { outcomeOf } from '../helpers/outcome-of.js';
import { forEachTest } from '../helpers/shared.js';
import { type RefundWorker, hireRefundWorker, requestRefund, shop } from './refund-worker.js';

const ours = { ...shop, refundId: 're_1' };

let worker: RefundWorker;
const stage = forEachTest(() => openStage({ capturePolicy: { mode: 'automatic' } }));
beforeEach(() => {
  worker = hireRefundWorker(stage);
});
afterEach(async () => {
  await worker.close();
});

it('does not take an id that an operator names while the provider cannot be read: nothing would correct a wrong one', async () => {
  const { state } = await requestRefund(stage, ours);
  await stage.sandbox.fault({ kind: 'drop_reply', operation: 'capture.refund', times: null });
  const { event, at } = await outcomeOf(
    worker.activities.makeRefund({ identity: ours, state, version: 0, timeline: [] }),
  );
  const doubted = advanceRefund({ state, version: 0 }, event, at).position;
  const reviewed = advanceRefund(doubted, { type: 'reviewCameDue' }, Date.now()).position;
  for (const operation of ['payment.get', 'refund.get'])
    await stage.sandbox.fault({ kind: 'status', operation, status: 503, times: null });
  const decided = { commandId: 'cmd_1', decision: 'happened', reason: 'Seen.' } as const;
  const result = await outcomeOf(
    worker.activities.verifyRefundDecision(
      { identity: ours, ...reviewed, timeline: [] },
      { ...decided, resourceId: 'REF-MISTYPED', isUnverified: true },
    ),
  );
  expect(result.event).toMatchObject({ type: 'decisionRefused', code: 'cannot_be_verified' });
});
