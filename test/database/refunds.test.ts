import { describe, expect, it } from 'vitest';
import { callsOf } from './calls-of.js';
import { findPayment, listPayments, acceptRefund, findPaymentIdOf, findRefund } from '#database/subjects';
import { listTimeline, EndOnRecordError, writeTransition } from '#database/transitions';
import { type PaymentIdentity, refundCommandId } from '#workflows/contract';
import { collectedBy, requestedRefund, evaluateRequest } from '#workflows/lifecycle/refund';
import { payment as samplePayment } from '../lifecycle/payment/sample-payments.js';
import { facts, observed, patience, refund } from '../lifecycle/refund/sample-refunds.js';
import {
  atOnce,
  newId,
  useEngineDatabase,
  orderCommand,
  owner,
  storePayment,
  transition,
  withOwnIds,
} from './engine-database.js';
import { StoredRefund } from './stored-refund.js';

const engine = useEngineDatabase();

async function newRefund(application: string = owner.application): Promise<StoredRefund> {
  const { paymentId } = await storePayment(engine.db);
  return new StoredRefund(engine.db, { ...owner, application }, paymentId, newId('REF'));
}

const rowOf = async ({ id }: StoredRefund) =>
  await engine.db.selectFrom('refunds').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

const statusesOf = async ({ id }: StoredRefund) =>
  (await listTimeline(engine.db, id)).map(({ to_status }) => to_status);

const paymentOf = async ({ paymentId }: StoredRefund) =>
  await findPayment(engine.db, { ...owner, paymentId });

/** 100.00 USD captured in one go. */
async function capturedPayment(): Promise<PaymentIdentity> {
  const identity = await storePayment(engine.db);
  const captured = withOwnIds(samplePayment('captured'), identity);
  await writeTransition(engine.db, transition(identity, captured, 3));
  return identity;
}

async function ask({ paymentId }: PaymentIdentity, minor: number, idempotencyKey = newId('key')) {
  const refundId = newId('re');
  const command = {
    ...orderCommand({ ...owner, paymentId }, { idempotencyKey, kind: 'refund' }),
    id: refundCommandId(refundId),
    subjectId: refundId,
  };
  return await acceptRefund(engine.db, command, paymentId, (payment, refunds) => {
    const amount = { minor, currency: 'USD' };
    const result = evaluateRequest({ amount }, collectedBy(payment), refunds, 'USD');
    if (result.kind === 'refused') return { refusal: { reason: result.refusal.reason } };
    const { collected } = result;
    const claim = { kind: 'request', collected, amount, providerPaymentId: 'PAY' } as const;
    return { state: requestedRefund(claim, { paymentId, commandId: command.id }, patience, Date.now()) };
  });
}

describe('a refund made elsewhere', () => {
  it('is one row, however often and by however many it is written', async () => {
    const stored = await newRefund();
    const written = await Promise.allSettled(
      Array.from({ length: 10 }, () => stored.write(refund('completed'), 2)),
    );
    expect(written.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await rowOf(stored)).toMatchObject({
      status: 'completed',
      minor: 4000,
      currency: 'USD',
      collected_id: 'CAP-1',
      provider_refund_id: stored.providerRefundId,
    });
    expect(await statusesOf(stored)).toEqual(['completed']);
    const shown = (await paymentOf(stored))?.refunds;
    expect(shown).toMatchObject([{ id: stored.id, state: { status: 'completed' } }]);
  });

  it('case 11: never returns to an older version, and a read does not undo an end', async () => {
    const stored = await newRefund();
    await stored.write(refund('pending'), 2);
    await stored.write(observed(), 1);
    expect(await rowOf(stored)).toMatchObject({ status: 'pending', version: 2 });
    await stored.write(refund('completed'), 3);
    await expect(stored.write(refund('failed'), 4)).rejects.toThrow(EndOnRecordError);
    expect(await rowOf(stored)).toMatchObject({ status: 'completed' });
  });

  it('is known as its own resource once it is read back, and not before', async () => {
    const stored = await newRefund();
    await stored.write(observed(), 1);
    const subjects = async () =>
      await engine.db
        .selectFrom('resources')
        .select('subject_id')
        .where('resource_id', '=', stored.providerRefundId)
        .execute();
    expect(await subjects()).toEqual([]);
    await stored.write(refund('pending'), 2);
    expect(await subjects()).toEqual([{ subject_id: stored.id }]);
    // It is no payment: whose money it is follows from what it was collected by.
    expect(await findPaymentIdOf(engine.db, owner, [stored.providerRefundId])).toBeUndefined();
  });

  it('is another refund in another application, under the same id of the provider', async () => {
    const mine = await newRefund();
    const bookshop = { ...owner, application: 'bookshop' };
    const theirs = new StoredRefund(engine.db, bookshop, mine.paymentId, mine.providerRefundId);
    await mine.write(refund('completed'), 2);
    await theirs.write(refund('completed'), 2);
    expect(theirs.id).not.toBe(mine.id);
    expect(await findRefund(engine.db, owner, theirs.id)).toBeUndefined();
  });

  it('leaves the calls that showed it in its own history', async () => {
    const stored = await newRefund();
    const call = {
      operation: 'refund.get',
      method: 'GET',
      path: '/v1/payments/refund/REF',
      status: 200,
      startedAt: new Date(),
      durationMs: 3,
    };
    await stored.write(refund('completed'), 2, [call]);
    expect(await callsOf(engine.db, stored.id)).toMatchObject([{ operation: 'refund.get' }]);
  });

  it('of an amount up to the largest safe one is read as it was written', async () => {
    const stored = await newRefund();
    const amount = { minor: Number.MAX_SAFE_INTEGER, currency: 'JPY' };
    await stored.write({ ...refund('completed'), amount }, 2);
    expect((await rowOf(stored)).minor).toBe(Number.MAX_SAFE_INTEGER);
  });

  it('changes what its payment shows from its first report on, and leaves the version that its run uses', async () => {
    const stored = await newRefund();
    const before = await paymentOf(stored);
    await atOnce(5, () => stored.tellOf());
    expect((await paymentOf(stored))?.refund_changes).toBe(1);
    await stored.write(refund('pending'), 2);
    await stored.write(refund('completed'), 3);
    const after = await paymentOf(stored);
    expect(after).toMatchObject({ version: before?.version, refund_changes: 3 });
    expect(after?.updated_at.getTime()).toBeGreaterThan(before?.updated_at.getTime() ?? 0);
  });
});

describe('a refund that we request', () => {
  it('never exceeds what was captured when twenty are requested at once', async () => {
    const identity = await capturedPayment();
    const answers = await atOnce(20, () => ask(identity, 30_00));
    expect(answers.filter(({ status }) => status === 'accepted')).toHaveLength(3);
    expect(answers.filter(({ status }) => status === 'refused')).toHaveLength(17);
    expect((await findPayment(engine.db, identity))?.refunds).toHaveLength(3);
  });

  it('case 35: is refused as soon as a refund made elsewhere was reported', async () => {
    const identity = await capturedPayment();
    const elsewhere = new StoredRefund(engine.db, owner, identity.paymentId, newId('REF'));
    expect(await ask(identity, 5_00)).toMatchObject({ status: 'accepted' });
    await elsewhere.tellOf();
    expect(await ask(identity, 5_00)).toMatchObject({
      status: 'refused',
      result: { reason: expect.stringContaining('not shown how much') as string },
    });
  });

  it('case 3: is one under one key when twenty are requested at once', async () => {
    const identity = await capturedPayment();
    const answers = await atOnce(20, () => ask(identity, 60_00, `key-of-${identity.paymentId}`));
    const ids = answers.map(({ subject_id: id }) => id);
    expect(new Set(ids).size).toBe(1);
    expect((await findPayment(engine.db, identity))?.refunds).toHaveLength(1);
  });
});

it('the payment of a refund is that of its first known id', async () => {
  const [one, other] = [await storePayment(engine.db), await storePayment(engine.db)];
  for (const identity of [one, other]) {
    const held = withOwnIds(samplePayment('authorized'), identity);
    await writeTransition(engine.db, transition(identity, held, 2));
  }
  const ids = [`AUTH-${one.paymentId}`, `PAY-${other.paymentId}`];
  expect(await findPaymentIdOf(engine.db, owner, ids)).toBe(one.paymentId);
  expect(await findPaymentIdOf(engine.db, owner, ['UNKNOWN', ...ids])).toBe(one.paymentId);
  expect(await findPaymentIdOf(engine.db, { ...owner, environment: 'live' }, ids)).toBeUndefined();
  expect(await findPaymentIdOf(engine.db, owner, [facts().collected.id])).toBeUndefined();
});

it('lists show each payment with its own refunds, oldest first', async () => {
  const first = await newRefund();
  await first.write(refund('completed'), 2);
  const second = new StoredRefund(engine.db, owner, first.paymentId, newId('REF'));
  await second.write(refund('pending'), 2);
  const { rows: listed } = await listPayments(engine.db, { ...owner, limit: 1_000 });
  const shown = listed.flatMap(({ id, refunds }) => refunds.map((each) => `${id} ${each.id}`));
  expect(shown.filter((line) => line.includes(first.id) || line.includes(second.id))).toEqual([
    `${first.paymentId} ${first.id}`,
    `${first.paymentId} ${second.id}`,
  ]);
});
