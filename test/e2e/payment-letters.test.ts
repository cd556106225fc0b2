import { expect, it } from 'vitest';
import { allColumns } from '../helpers/all-columns.js';
import { startEngine } from '../helpers/engine.js';
import { forAllTests } from '../helpers/shared.js';
import { terminateRun } from '../helpers/terminate-run.js';
import { until } from '../helpers/until.js';

const engine = forAllTests(() => startEngine({ withWorker: false, reconciles: 'often' }));
const worker = forAllTests(() => engine.startWorker());

const shippingAddress = {
  recipientName: 'Ada Planted',
  line1: '7 Lighthouse Road',
  city: 'Harbourtown',
  state: 'ME',
  postalCode: '04101',
  countryCode: 'US',
};
const noteToPayer = 'Ada, your lamp is sent from the Lighthouse';

/** Both, as the provider has them. */
async function atProvider(id: string): Promise<unknown> {
  const { state } = await rowOf(id);
  const payment = await engine.sandbox.callAsOwner<{
    note_to_payer?: string;
    transactions: { item_list?: { shipping_address: unknown } }[];
  }>('GET', `/v1/payments/payment/${state.providerPaymentId}`);
  return { note: payment.note_to_payer, address: payment.transactions[0]?.item_list?.shipping_address };
}

const {
  recipientName: recipient_name,
  postalCode: postal_code,
  countryCode: country_code,
  ...rest
} = shippingAddress;
const asSent = { note: noteToPayer, address: { ...rest, recipient_name, postal_code, country_code } };

async function rowOf(id: string) {
  const row = engine.db.selectFrom('payments').select(['state', 'sealed_letters']).where('id', '=', id);
  return await row.executeTakeFirstOrThrow();
}

/** Everything of ours that names the person or the street. */
async function written(): Promise<unknown[]> {
  const rows = await allColumns(engine.db);
  expect(rows.length).toBeGreaterThan(0);
  return rows.filter(({ row }) => /Lighthouse|Harbourtown|Planted/.test(row));
}

it('reach the provider with the payment, no answer and no table of ours, and are deleted then', async () => {
  const { status, body } = await engine.orders.order({ shippingAddress, noteToPayer });
  expect([status, body.state]).toEqual([201, 'awaiting_approval']);
  expect(await atProvider(body.id)).toEqual(asSent);
  expect((await rowOf(body.id)).sealed_letters).toBeNull();
  const { providerPaymentId } = (await rowOf(body.id)).state;
  await engine.orders.comeBack(await engine.sandbox.approve(providerPaymentId ?? ''));
  const approved = await engine.orders.reaches(body.id, 'authorized');
  expect(JSON.stringify(approved)).not.toContain('Lighthouse');
  expect(await written()).toEqual([]);
});

it('are sent again with a payment whose first call was refused for a moment', async () => {
  await engine.sandbox.fault({ operation: 'payment.create', kind: 'status', status: 503, times: 4 });
  const { body } = await engine.orders.order({ shippingAddress, noteToPayer });
  await engine.orders.reaches(body.id, 'awaiting_approval');
  expect(await atProvider(body.id)).toEqual(asSent);
  expect((await rowOf(body.id)).sealed_letters).toBeNull();
});

it('are deleted with a payment that is declined', async () => {
  await engine.sandbox.fault({ operation: 'payment.create', kind: 'decline' });
  const { body } = await engine.orders.order({ shippingAddress, noteToPayer });
  expect((await engine.orders.reaches(body.id, 'declined')).state).toBe('declined');
  expect((await rowOf(body.id)).sealed_letters).toBeNull();
});

it('wait encrypted for a worker, and are sent by a run that takes the place of a lost one', async () => {
  // Nothing is created before the run is lost.
  await worker.close();
  const ordered = engine.orders.order({ shippingAddress, noteToPayer });
  const id = await until(creating, Boolean, 'a payment to be on its way');
  expect((await rowOf(id)).sealed_letters).not.toBeNull();
  expect(await written()).toEqual([]);
  await terminateRun(engine.temporal, `payment/sandbox/shop/${id}`);
  await engine.startWorker();
  await ordered;
  await engine.orders.reaches(id, 'awaiting_approval');
  expect(await atProvider(id)).toEqual(asSent);
  expect((await rowOf(id)).sealed_letters).toBeNull();
});

async function creating(): Promise<string> {
  const open = engine.db.selectFrom('payments').select('id').where('status', '=', 'creating');
  return (await open.executeTakeFirst())?.id ?? '';
}
