import { expect, it, onTestFinished } from 'vitest';
import { type RefundPosition, advanceRefund } from '#workflows/lifecycle/refund/lifecycle.js';
import { openStage } from '../faults/dying-worker.js';
import { forEachTest } from '../helpers/shared.js';
import { outcomeOf } from '../helpers/outcome-of.js';
import { testWaitPolicy } from '../helpers/worker.js';
import { hireRefundWorker, requestRefund, shop } from './refund-worker.js';

const stage = forEachTest(() => openStage({ capturePolicy: { mode: 'automatic' } }));

it.each([
  ['without a reference', { remove: ['invoice_number'] }, {}],
  ['with another reference', {}, { invoice_number: 'of-another' }],
])(
  'an answer %s that names the refund of an earlier request shows nothing of this one',
  async (_, cut, other) => {
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
    const answersWithFirst = { ...cut, add: { ...other, id }, times: null };
    await stage.sandbox.fault({ kind: 'reshape', operation: 'capture.refund', ...answersWithFirst });
    expect((await refund('re_2', first)).event).toMatchObject({ type: 'outcomeUnknown' });
  },
);

it('a capture that the provider does not know yet is refunded later, and one that it must know by now is not', async () => {
  const worker = hireRefundWorker(stage);
  onTestFinished(() => worker.close());
  const identity = { ...shop, refundId: 're_1' };
  const { state } = await requestRefund(stage, identity);
  await stage.sandbox.fault({ kind: 'status', operation: 'capture.refund', status: 404, times: null });
  const first = await outcomeOf(worker.activities.makeRefund({ identity, state, version: 0, timeline: [] }));
  expect(first.event.type).toBe('stepDeferred');
  const due = [first.event, { type: 'stepCameDue' }] as const;
  const again = due.reduce<RefundPosition>(
    (position, event) => advanceRefund(position, event, first.at).position,
    { state, version: 0 },
  );
  const begun_at = new Date(Date.now() - testWaitPolicy.outcomeHorizonMs);
  await stage.db.updateTable('attempts').set({ begun_at }).where('subject_id', '=', 're_1').execute();
  const { event } = await outcomeOf(worker.activities.makeRefund({ identity, ...again, timeline: [] }));
  expect(event.type).toBe('stepDeclined');
});
