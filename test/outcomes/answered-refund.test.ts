import { expect, it, onTestFinished } from 'vitest';
import { openStage } from '../faults/dying-worker.js';
import { forEachTest } from '../helpers/shared.js';
import { outcomeOf } from '../helpers/outcome-of.js';
import { hireRefundWorker, requestRefund, shop } from './refund-worker.js';

const stage = forEachTest(() => openStage({ capturePolicy: { mode: 'automatic' } }));

it('an answer without a reference that names the refund of an earlier request shows nothing of this one', async () => {
  const worker = hireRefundWorker(stage);
  onTestFinished(() => worker.close());
  const refund = async (refundId: string, capture?: { providerPaymentId: string; captureId: string }) => {
    const identity = { ...shop, refundId };
    const { state, ...made } = await requestRefund(stage, identity, capture);
    const input = { identity, state, version: 0, timeline: [] };
    return { ...made, ...(await outcomeOf(worker.activities.makeRefund(input))) };
  };
  const first = await refund('re_1');
  if (first.event.type !== 'refundAnswered') throw new Error('the first refund was not made');
  const { providerRefundId: id } = first.event.refund;
  const answersWithFirst = { remove: ['invoice_number'], add: { id }, times: null };
  await stage.sandbox.fault({ kind: 'reshape', operation: 'capture.refund', ...answersWithFirst });
  expect((await refund('re_2', first)).event).toMatchObject({ type: 'outcomeUnknown' });
});
