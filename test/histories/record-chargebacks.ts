import { it } from 'vitest';
import { RefundStage } from '../e2e/refund-stage.js';
import { refundWorkflowId } from '#workflows/contract';
import { forAllTests } from '../helpers/shared.js';
import { until } from '../helpers/until.js';
import { historyKeys } from './history-key.js';
import { storeHistory } from './stored-histories.js';

/** As record-refunds.ts, of chargebacks. */
const stage = forAllTests(() => RefundStage.start({ codecKeys: historyKeys, reconciles: 'often' }));


const workflowId = (refundId: string): string =>
  refundWorkflowId({ environment: 'sandbox', application: 'shop', refundId });

it('records a chargeback whose amount is missing because answers are cut short', async () => {
  const { id, captureId } = await stage.capturedPayment();
  const remove = ['transactions'];
  await stage.engine.sandbox.fault({ kind: 'reshape', operation: 'payment.get', remove, times: null });
  await stage.engine.sandbox.chargeBack(captureId);
  await stage.showsOne(id, 'pending');
  const polled = stage.engine.db.selectFrom('refunds').select(['id', 'state']).where('payment_id', '=', id);
  const row = await until(
    () => polled.executeTakeFirstOrThrow(),
    ({ state }) => state.polls > 1,
    'a poll that shows nothing new',
  );
  await storeHistory(stage.engine.temporal, 'refund/amount-in-doubt', workflowId(row.id));
  await stage.reset();
});

it('records the run that reads how much was charged back, after the end', async () => {
  const { id, captureId } = await stage.capturedPayment();
  await stage.engine.sandbox.chargeBack(captureId, '30.00');
  const reversal = await stage.showsOne(id, 'completed');
  await stage.engine.sandbox.refundElsewhere(captureId, '70.00');
  const reported = ({ refunds }: Awaited<ReturnType<typeof stage.engine.orders.get>>) =>
    refunds.every(({ amount }) => amount !== null);
  await until(() => stage.engine.orders.get(id), reported, 'the amount to be told');
  const run = () => stage.engine.temporal.workflow.getHandle(workflowId(reversal.id)).describe();
  await until(run, ({ status }) => status.name === 'COMPLETED', 'the run to be closed');
  await storeHistory(stage.engine.temporal, 'refund/amount-after-the-end', workflowId(reversal.id));
});
