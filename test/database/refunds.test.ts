import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listApiCalls } from '../../libs/database/src/api-calls.js';
import { findPayment, listPayments } from '../../libs/database/src/payments.js';
import { type RefundTransition, findPaymentIdOf, saveRefund } from '../../libs/database/src/refunds.js';
import type { PaymentIdentity } from '../../libs/workflows/src/contract/payment.js';
import type { RefundState } from '../../libs/workflows/src/lifecycle/refund/refund.js';
import { facts, observed, refund } from '../lifecycle/refund/sample-refunds.js';
import {
  type EngineDatabase,
  atOnce,
  newId,
  openEngineDatabase,
  owner,
  storePayment,
} from './engine-database.js';

let engine: EngineDatabase;
beforeAll(async () => {
  engine = await openEngineDatabase();
});
afterAll(async () => await engine.close());

/** A refund of a payment, under ids of its own. */
async function newRefund() {
  const payment = await storePayment(engine.db);
  const refundId = newId('REF');
  const at = (state: RefundState, version: number): RefundTransition => ({
    identity: { ...owner, refundId },
    state: { ...state, paymentId: payment.paymentId, claim: { kind: 'refund', providerRefundId: refundId } },
    version,
    calls: [],
    entry: { version, event: 'refundObserved', kind: 'moved', from: 'observed', to: state.status, at: 0 },
  });
  return { payment, refundId, at };
}

const shown = async (payment: PaymentIdentity) => (await findPayment(engine.db, payment))?.refunds ?? [];

async function rowOf(refundId: string) {
  return await engine.db
    .selectFrom('refunds')
    .selectAll()
    .where('id', '=', refundId)
    .executeTakeFirstOrThrow();
}

describe('a refund', () => {
  it('is one row, however often and by however many it is written', async () => {
    const { payment, refundId, at } = await newRefund();
    await atOnce(10, () => saveRefund(engine.db, at(refund('completed'), 2)));
    const row = await rowOf(refundId);
    expect(row).toMatchObject({ status: 'completed', minor: 4000, currency: 'USD', collected_id: 'CAP-1' });
    expect(row.timeline).toHaveLength(1);
    expect(await shown(payment)).toMatchObject([{ id: refundId, state: { status: 'completed' } }]);
  });

  it('case 11: never goes back to an older version, nor leaves its end', async () => {
    const { refundId, at } = await newRefund();
    await saveRefund(engine.db, at(refund('pending'), 2));
    await saveRefund(engine.db, at(observed(), 1));
    expect(await rowOf(refundId)).toMatchObject({ status: 'pending', version: 2 });
    await saveRefund(engine.db, at(refund('completed'), 3));
    await saveRefund(engine.db, at(refund('failed'), 9));
    const row = await rowOf(refundId);
    expect(row).toMatchObject({ status: 'completed', version: 3 });
    expect(row.timeline.map(({ to }) => to)).toEqual(['pending', 'completed']);
  });

  it('stands as its run knows it when a read is made again and shows more than the one that was lost', async () => {
    const { refundId, at } = await newRefund();
    await saveRefund(engine.db, at(observed(), 1));
    await saveRefund(engine.db, at(refund('pending'), 2));
    await saveRefund(engine.db, at(refund('completed'), 2));
    const row = await rowOf(refundId);
    expect(row).toMatchObject({ status: 'completed', version: 2 });
    expect(row.timeline.map(({ to }) => to)).toEqual(['observed', 'completed']);
  });

  it('is known as a resource of its payment once it is read back, and not before', async () => {
    const { payment, refundId, at } = await newRefund();
    await saveRefund(engine.db, at(observed(), 1));
    expect(await findPaymentIdOf(engine.db, owner, [refundId])).toBeUndefined();
    await saveRefund(engine.db, at(refund('pending'), 2));
    expect(await findPaymentIdOf(engine.db, owner, [refundId])).toBe(payment.paymentId);
    expect(await findPaymentIdOf(engine.db, { ...owner, environment: 'live' }, [refundId])).toBeUndefined();
  });

  it('is another one in another application, under the same id of the provider', async () => {
    const { refundId, at } = await newRefund();
    const mine = at(refund('completed'), 2);
    await saveRefund(engine.db, mine);
    await saveRefund(engine.db, { ...mine, identity: { ...mine.identity, application: 'bookshop' } });
    const rows = await engine.db.selectFrom('refunds').selectAll().where('id', '=', refundId).execute();
    expect(rows).toHaveLength(2);
  });

  it('leaves the calls that showed it in the history of its payment', async () => {
    const { payment, at } = await newRefund();
    const call = {
      operation: 'refund.get',
      method: 'GET',
      path: '/v1/payments/refund/REF',
      status: 200,
      startedAt: new Date(),
      durationMs: 3,
    };
    await saveRefund(engine.db, { ...at(refund('completed'), 2), calls: [call] });
    expect(await listApiCalls(engine.db, payment.paymentId)).toMatchObject([{ operation: 'refund.get' }]);
  });

  it('of an amount up to the largest that is counted is read as it was written', async () => {
    const { refundId, at } = await newRefund();
    const amount = { minor: Number.MAX_SAFE_INTEGER, currency: 'JPY' };
    await saveRefund(engine.db, at({ ...refund('completed'), amount }, 2));
    expect((await rowOf(refundId)).minor).toBe(Number.MAX_SAFE_INTEGER);
  });
});

describe('the payment of what was given back', () => {
  it('is that of the capture, and else that of the payment which the provider names', async () => {
    const [one, other] = [await newRefund(), await newRefund()];
    await saveRefund(engine.db, one.at(refund('pending'), 1));
    await saveRefund(engine.db, other.at(refund('pending'), 1));
    const ids = [one.refundId, other.refundId];
    expect(await findPaymentIdOf(engine.db, owner, ids)).toBe(one.payment.paymentId);
    expect(await findPaymentIdOf(engine.db, owner, ['UNKNOWN', other.refundId])).toBe(
      other.payment.paymentId,
    );
    expect(await findPaymentIdOf(engine.db, owner, [facts().collected.id, 'UNKNOWN'])).toBeUndefined();
  });
});

it('lists show each payment with its own refunds, oldest first', async () => {
  const { payment, refundId, at } = await newRefund();
  await saveRefund(engine.db, at(refund('completed'), 2));
  const second = newId('REF');
  const { identity, ...rest } = at(refund('pending'), 2);
  await saveRefund(engine.db, {
    ...rest,
    identity: { ...identity, refundId: second },
    state: { ...rest.state, claim: { kind: 'refund', providerRefundId: second } },
  });
  const listed = await listPayments(engine.db, { ...owner, limit: 1_000 });
  expect(listed.find(({ id }) => id === payment.paymentId)?.refunds.map(({ id }) => id)).toEqual([
    refundId,
    second,
  ]);
  expect(
    listed
      .filter(({ id }) => id !== payment.paymentId)
      .some(({ refunds }) => refunds.some(({ id }) => id === refundId)),
  ).toBe(false);
});
