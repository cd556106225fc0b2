import { expect, it } from 'vitest';
import { startEngine } from '../helpers/engine.js';
import { forAllTests } from '../helpers/shared.js';
import { terminateRun } from '../helpers/terminate-run.js';
import { until } from '../helpers/until.js';
import { SubscriptionStage } from './subscription-stage.js';

const engine = forAllTests(() =>
  startEngine({
    patience: { outcomeHorizonMs: 1_500, firstLookMs: 200, firstRetryMs: 1_000 },
    reconciles: 'often',
  }),
);
const stage = new SubscriptionStage(engine);

it('a balance is collected once if the read before it failed, its run was then lost, and then its answer', async () => {
  const terms = { setupFee: '5.00', regular: { frequency: 'YEAR', cycles: 5, amount: '9.00' } };
  const { id: planId } = (await stage.plan(terms)).body;
  await engine.sandbox.fault({ operation: 'agreement.execute', kind: 'decline' });
  const startDate = new Date(Date.now() + 600_000).toISOString();
  const { id } = await stage.subscribed(planId, { startDate });
  const unreadable = { kind: 'status', status: 503, times: null };
  await engine.sandbox.fault({ operation: 'agreement.transactions', ...unreadable });
  const part = { amount: { value: '2.00', currency: 'USD' } };
  const asked = stage.post(`/v1/subscriptions/${id}/bill-balance`, part);
  await until(
    () => engine.db.selectFrom('attempts').select('outcome').where('subject_id', '=', id).execute(),
    (attempts) => attempts.some(({ outcome }) => outcome === 'deferred'),
    'the billing to be put off',
  );
  await terminateRun(engine.temporal, `subscription/sandbox/shop/${id}`);
  await engine.sandbox.clearFaults();
  // It is carried out; only a comparison with what was read before it shows that.
  await engine.sandbox.fault({ operation: 'agreement.bill-balance', kind: 'drop_reply' });
  expect((await asked).status).toBe(200);
  await stage.reaches(id, 'active');
  expect(await stage.booked(id)).toEqual([200]);
});
