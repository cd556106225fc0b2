import { expect, it } from 'vitest';
import { allColumns } from '../helpers/all-columns.js';
import { startEngine } from '../helpers/engine.js';
import { forAllTests } from '../helpers/shared.js';
import { terminateRun } from '../helpers/terminate-run.js';
import { until } from '../helpers/until.js';
import { SubscriptionStage } from './subscription-stage.js';

const shippingAddress = {
  line1: '7 Lighthouse Road',
  city: 'Harbourtown',
  state: 'ME',
  postalCode: '04101',
  countryCode: 'US',
};

const engine = forAllTests(() => startEngine({ withWorker: false, reconciles: 'often' }));
const stage = new SubscriptionStage(engine);
const worker = forAllTests(() => engine.startWorker());

it('reaches the provider with the agreement, and no table of ours', async () => {
  const { body: plan } = await stage.plan();
  const { id } = await stage.subscribed(plan.id, { shippingAddress });
  const agreement = await engine.sandbox.callAsOwner<{ shipping_address: unknown }>(
    'GET',
    `/v1/payments/billing-agreements/${await stage.agreementOf(id)}`,
  );
  const { postalCode: postal_code, countryCode: country_code, ...rest } = shippingAddress;
  expect(agreement.shipping_address).toEqual({ ...rest, postal_code, country_code });
  expect(JSON.stringify(await stage.get(id))).not.toContain('Lighthouse');
  const rows = await allColumns(engine.db);
  expect(rows.filter(({ row }) => row.includes(id)).length).toBeGreaterThan(0);
  expect(rows.filter(({ row }) => row.includes('Lighthouse'))).toEqual([]);
});

it('is refused with the field that is wrong, and nothing is ordered', async () => {
  const { body: plan } = await stage.plan();
  const refused = await stage.order(plan.id, { shippingAddress: { ...shippingAddress, countryCode: 'usa' } });
  expect(refused).toMatchObject({
    status: 422,
    body: { errors: [{ pointer: '/shippingAddress/countryCode' }] },
  });
  expect((await engine.db.selectFrom('subscriptions').selectAll().execute()).length).toBe(1);
});

it('is not left out by a run that takes the place of a lost one: the subscription is declined', async () => {
  const { body: plan } = await stage.plan();
  // Nothing is created before the run is lost.
  await worker.close();
  const ordered = stage.order(plan.id, { shippingAddress });
  const id = await until(creating, Boolean, 'a subscription to be on its way');
  await terminateRun(engine.temporal, `subscription/sandbox/shop/${id}`);
  await engine.startWorker();
  await ordered;
  const { reason } = await stage.reaches(id, 'declined');
  expect(reason).toContain('shipping address');
});

async function creating(): Promise<string> {
  const open = engine.db.selectFrom('subscriptions').select('id').where('status', '=', 'creating');
  return (await open.executeTakeFirst())?.id ?? '';
}
