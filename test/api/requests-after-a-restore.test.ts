import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { recordRestore, rememberOrder } from '#database/commands';
import { forAllTests } from '../helpers/shared.js';
import { terminateRun } from '../helpers/terminate-run.js';
import { ApiFixture, authorizedState, openTemporal, runIdOf } from './api-fixture.js';

const api = forAllTests(() => ApiFixture.start({ answerWithinMs: 1 }));

const usd = (value: string) => ({ amount: { value, currency: 'USD' } });
const shop = { environment: 'sandbox', application: 'shop' } as const;

/** A request captured 60.00 of 100.00. Its row was lost in the restore, and the run has shown the capture since. */
async function restoredPart(): Promise<string> {
  const id = await captured60();
  await recordRestore(api.db, new Date());
  return id;
}

async function captured60(): Promise<string> {
  const captures = [{ captureId: 'CAP-1', minor: 60_00, status: 'completed' as const, final: false }];
  return await api.paymentWith({ ...authorizedState(), status: 'partially_captured', captures });
}

async function capture(id: string, idempotencyKey: string) {
  return await api.call('POST', `/v1/payments/${id}/captures`, { body: usd('60.00'), idempotencyKey });
}

async function commandOf(key: string) {
  return await api.db
    .selectFrom('commands')
    .select(['status', 'result'])
    .where('idempotency_key', '=', key)
    .executeTakeFirst();
}

test('a request that the restored row would refuse is left to its run, which may have carried it out', async () => {
  const id = await restoredPart();
  const key = randomUUID();
  expect((await capture(id, key)).status).toBe(202);
  expect(await commandOf(key)).toEqual({ status: 'accepted', result: null });
});

test('one about a payment that was ordered after the restore is refused at once', async () => {
  await recordRestore(api.db, new Date());
  expect(await capture(await captured60(), randomUUID())).toMatchObject({ status: 422 });
});

test('one whose payment has ended is told that its outcome is not recorded', async () => {
  const id = await restoredPart();
  const temporal = await openTemporal();
  await terminateRun(temporal, runIdOf(id));
  await temporal.connection.close();
  await api.moveTo(id, { status: 'captured' });
  const key = randomUUID();
  expect(await capture(id, key)).toMatchObject({
    status: 409,
    body: { code: 'outcome_not_recorded', currentState: 'captured' },
  });
});

test('an order whose record was lost is not called unknown, and its reference is not paid out again', async () => {
  const item = { itemId: 'c-1', receiver: { type: 'EMAIL', value: 'anna@person.example' }, ...usd('12.00') };
  const order = { reference: 'commissions-1', emailSubject: 'Your commission', items: [item] };
  const pay = async (idempotencyKey: string) =>
    await api.call('POST', '/v1/payouts', { body: order, idempotencyKey });
  const key = randomUUID();
  const { id } = (await pay(key)).body;
  const { body_hash: bodyHash } = await api.db
    .selectFrom('commands')
    .select('body_hash')
    .where('idempotency_key', '=', key)
    .executeTakeFirstOrThrow();
  for (const table of ['payout_items', 'payouts', 'commands'] as const)
    await api.db.deleteFrom(table).execute();
  await rememberOrder(
    api.db,
    {
      ...shop,
      id: `${String(id)}:order`,
      idempotencyKey: key,
      bodyHash,
      kind: 'create',
      subjectId: String(id),
      parameters: {},
      requestedBy: 'api-key:shop',
    },
    order.reference,
  );
  const otherKey = randomUUID();
  for (const _time of [1, 2]) {
    expect(await pay(otherKey)).toMatchObject({
      status: 409,
      body: { code: 'duplicate_reference', payoutId: id },
    });
  }
  expect(await pay(key)).toMatchObject({ status: 202, body: { id, state: 'creating' } });
  expect(await pay(randomUUID())).toMatchObject({ status: 409, body: { payoutId: id } });
  const items = await api.db.selectFrom('payout_items').select(['payout_id', 'item_id']).execute();
  expect(items).toEqual([{ payout_id: id, item_id: 'c-1' }]);
  // The provider tells a repeat of the batch apart for 30 days: they count from the order.
  const { created_at: remembered } = await api.db
    .selectFrom('commands')
    .select('created_at')
    .where('idempotency_key', '=', key)
    .executeTakeFirstOrThrow();
  const { state } = await api.db.selectFrom('payouts').select('state').executeTakeFirstOrThrow();
  expect(state.order.orderedAt).toBe(remembered.getTime());

  // The restored rows have the reference at a payout that gave it up later, to this one.
  await api.db.deleteFrom('payout_items').execute();
  await api.db
    .updateTable('payouts')
    .set({ id: `${String(id)}-first` })
    .execute();
  expect(await pay(key)).toMatchObject({ status: 409, body: { code: 'outcome_not_recorded' } });
  expect(await pay(randomUUID())).toMatchObject({ status: 409, body: { code: 'duplicate_reference' } });
});
