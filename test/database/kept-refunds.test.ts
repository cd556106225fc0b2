import { describe, expect, it } from 'vitest';
import { KeptRefunds, findPayment, listPayments } from '#database/subjects';
import { writeTransition } from '#database/transitions';
import type { PaymentIdentity } from '#workflows/contract';
import { payment } from '../lifecycle/payment/sample-payments.js';
import { observed, refund } from '../lifecycle/refund/sample-refunds.js';
import {
  atOnce,
  newId,
  useEngineDatabase,
  owner,
  storePayment,
  transition,
  withOwnIds,
} from './engine-database.js';
import { storeManyRefunds } from './many-refunds.js';
import { writeAfterRead } from '../helpers/write-after-read.js';
import { StoredRefund } from './stored-refund.js';

const engine = useEngineDatabase();

async function refundedPayment(count: number): Promise<PaymentIdentity> {
  const identity = await storePayment(engine.db);
  await storeManyRefunds(engine.db, { ...owner, id: identity.paymentId }, count);
  return identity;
}

/** Reads of one payment by a process that keeps what it has read. */
async function reader(count: number) {
  const identity = await refundedPayment(count);
  const kept = new KeptRefunds(1_000);
  const read = async () => (await findPayment(engine.db, identity, kept))?.refunds ?? [];
  const readAnew = async () => (await findPayment(engine.db, identity))?.refunds;
  return { identity, read, readAnew };
}

describe('many refunds of a payment', () => {
  it('are loaded once for many reads, as long as none of them changes', async () => {
    const { read, readAnew } = await reader(40);
    const lists = new Set(await atOnce(10, read));
    const [list] = lists;
    expect([lists.size, await read()]).toEqual([1, list]);
    expect(await read()).toBe(list);
    expect(list).toHaveLength(40);
    expect(list).toEqual(await readAnew());
  });

  it('are loaded again after each change: a new one, a timeline line, a state written without one', async () => {
    const { identity, read, readAnew } = await reader(40);
    const stored = new StoredRefund(engine.db, owner, identity.paymentId, newId('REF'));
    const look = async () => (await read()).find(({ id }) => id === stored.id);
    expect(await look()).toBeUndefined();
    await stored.tellOf();
    expect(await look()).toMatchObject({ state: { status: 'observed' }, timeline: [] });
    await stored.write(refund('pending'), 2);
    expect(await look()).toMatchObject({ state: { status: 'pending' }, timeline: [{ version: 2 }] });
    await stored.write({ ...refund('pending'), reason: 'It is looked at.' }, 3, [], []);
    expect(await look()).toMatchObject({ state: { reason: 'It is looked at.' }, shown_version: 2 });
    // A late worker leaves its line, and the state as it stands.
    await stored.write(observed(), 1);
    expect(await look()).toMatchObject({ state: { status: 'pending' }, timeline: [{}, {}] });
    expect(await read()).toEqual(await readAnew());
  });

  it.each([1, 2])('are those of the instant of their payment, although it changes (%i)', async (nth) => {
    const identity = await refundedPayment(40);
    const state = withOwnIds(payment('partially_captured'), identity);
    const db = writeAfterRead(engine.db, nth, async () => {
      await writeTransition(engine.db, transition(identity, state, 3));
      await new StoredRefund(engine.db, owner, identity.paymentId, newId('REF')).tellOf();
    });
    const found = await findPayment(db, identity, new KeptRefunds(1_000));
    expect([found?.status, found?.refunds.length]).toBeOneOf([
      ['creating', 40],
      ['partially_captured', 41],
    ]);
  });

  it('are shown to no other application, even when they are cached', async () => {
    const identity = await refundedPayment(40);
    const kept = new KeptRefunds(1_000);
    expect(await findPayment(engine.db, identity, kept)).toBeDefined();
    expect(await findPayment(engine.db, { ...identity, application: 'bookshop' }, kept)).toBeUndefined();
  });
});

it('a page of payments ends once they show a thousand refunds, and the next page continues there', async () => {
  const ids: string[] = [];
  for (const count of [2, 700, 700, 700]) ids.push((await refundedPayment(count)).paymentId);
  const seen: string[] = [];
  const sizes: number[] = [];
  for (let isCut = true, before: string | undefined; isCut; before = seen.at(-1)) {
    const page = await listPayments(engine.db, { ...owner, limit: 100, before });
    seen.push(...page.rows.map(({ id }) => id));
    sizes.push(page.rows.reduce((sum, { refunds }) => sum + refunds.length, 0));
    ({ isCut } = page);
  }
  expect(seen.filter((id) => ids.includes(id))).toEqual(ids.toSorted().toReversed());
  expect(Math.max(...sizes)).toBeLessThan(1_700);
});
