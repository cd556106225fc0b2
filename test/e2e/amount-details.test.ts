import { expect, it } from 'vitest';
import { startEngine } from '../helpers/engine.js';
import { forAllTests } from '../helpers/shared.js';
import { terminateRun } from '../helpers/terminate-run.js';
import { until } from '../helpers/until.js';

const engine = forAllTests(() =>
  startEngine({ approval: 'immediate', withWorker: false, reconciles: 'often' }),
);
const worker = forAllTests(() => engine.startWorker());

const amountDetails = {
  subtotal: '90.00',
  shipping: '8.00',
  tax: '6.50',
  shippingDiscount: '4.50',
};

/** What the provider's own record of the payment says of its amount. */
async function amountAtProvider(id: string): Promise<unknown> {
  const { providerPaymentId } = await stateOf(id);
  const path = `/v1/payments/payment/${providerPaymentId}`;
  const payment = await engine.sandbox.callAsOwner<{ transactions: { amount: unknown }[] }>('GET', path);
  return payment.transactions[0]?.amount;
}

async function stateOf(id: string) {
  const row = engine.db.selectFrom('payments').select('state').where('id', '=', id);
  return (await row.executeTakeFirstOrThrow()).state;
}

const asSent = {
  total: '100.00',
  currency: 'USD',
  details: { subtotal: '90.00', shipping: '8.00', tax: '6.50', shipping_discount: '-4.50' },
};

it('are shown, reach the provider with the amount, and leave nothing of it uncaptured', async () => {
  const { status, body } = await engine.orders.order({ amountDetails });
  expect(status).toBe(201);
  expect(body).toMatchObject({ amount: { value: '100.00', currency: 'USD' }, amountDetails });
  expect(await amountAtProvider(body.id)).toEqual(asSent);
  await engine.orders.capture(body.id);
  expect(await engine.sandbox.booksOf(body.id)).toEqual(['hold 10000', 'capture 10000']);
});

it('are the same however they are spelt: a repeat of the order orders nothing', async () => {
  const key = 'spelt-twice';
  const first = await engine.orders.order({ amountDetails }, key);
  const again = await engine.orders.order({ amountDetails: { ...amountDetails, tax: '6.5' } }, key);
  expect(again.body.id).toBe(first.body.id);
  const other = { subtotal: '100.00' };
  expect((await engine.orders.order({ amountDetails: other }, key)).status).toBe(409);
});

it('are sent by a run that takes the place of a lost one', async () => {
  // Nothing is created before the run is lost.
  await worker.close();
  const ordered = engine.orders.order({ amountDetails });
  const id = await until(creating, Boolean, 'a payment to be on its way');
  await terminateRun(engine.temporal, `payment/sandbox/shop/${id}`);
  await engine.startWorker();
  await ordered;
  await engine.orders.reaches(id, 'authorized');
  expect(await amountAtProvider(id)).toEqual(asSent);
});

async function creating(): Promise<string> {
  const open = engine.db.selectFrom('payments').select('id').where('status', '=', 'creating');
  return (await open.executeTakeFirst())?.id ?? '';
}
