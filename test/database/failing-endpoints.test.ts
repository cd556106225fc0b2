import { beforeEach, describe, expect, it } from 'vitest';
import {
  changeEndpoint,
  confirmLease,
  findEndpoint,
  leaseDeliveries,
  type LeasedDelivery,
  recordDelivered,
  recordFailure,
  resendNotification,
} from '#database/notifications';
import { writeTransition } from '#database/transitions/write-transition.js';
import type { PaymentIdentity } from '#workflows/contract';
import type { PaymentStatus } from '#workflows/lifecycle/payment';
import { payment, settled } from '../lifecycle/payment/sample-payments.js';
import { owner, useEngineDatabase, storePayment, transition, withOwnIds } from './engine-database.js';
import { register } from './subject-notifications.js';

const engine = useEngineDatabase();
const dayMs = 86_400_000;
const usual = { disableAfterMs: 3 * dayMs, restMs: () => dayMs, isGone: false, isUnsent: false };

let endpoint: string;
beforeEach(async () => {
  await engine.db.deleteFrom('notification_deliveries').execute();
  await engine.db.deleteFrom('notification_endpoints').execute();
  endpoint = await register(engine.db);
  const identity = await storePayment(engine.db);
  await writeTransition(engine.db, going(identity, 'authorizing', 'authorized', 3));
  await writeTransition(engine.db, going(identity, 'capturing', 'captured', 4));
});

function going(identity: PaymentIdentity, from: PaymentStatus, to: PaymentStatus, version: number) {
  const state = withOwnIds(settled(payment(to)), identity);
  const line = { version, event: 'providerObserved', kind: 'moved', from, to, at: Date.now() } as const;
  return { ...transition(identity, state, version), knownStatus: from, timeline: [line] };
}

const lease = async () =>
  await leaseDeliveries(engine.db, new Map(), { mostPerEndpoint: 16, mostAhead: 0, leaseMs: 60_000 });

/** The first delivery of the lane, under way. */
async function leased(): Promise<LeasedDelivery> {
  const [first] = await lease();
  if (!first) throw new Error('nothing is due');
  return first;
}

async function fail(delivery: LeasedDelivery, rules: Partial<typeof usual> = {}): Promise<boolean> {
  const failure = { durationMs: 1, reason: 'It answered 500.', status: 500 };
  const waits = { state: 'pending', dueInMs: dayMs } as const;
  return await recordFailure(engine.db, delivery, { ...failure, ...waits }, { ...usual, ...rules });
}

const due = async () => (await lease()).map(({ type }) => type);
const deliver = async (delivery: LeasedDelivery) =>
  await recordDelivered(engine.db, [{ delivery, durationMs: 1, status: 200 }]);

const endLease = async () =>
  await engine.db
    .updateTable('notification_deliveries')
    .set({ due_at: new Date(0) })
    .execute();

const change = (asked: Parameters<typeof changeEndpoint>[3]) => async () => {
  await changeEndpoint(engine.db, owner, endpoint, asked);
};

const shown = async () => await findEndpoint(engine.db, owner, endpoint);

describe('a failure that comes after its endpoint', () => {
  it.each([
    ['has got another address', { url: 'https://shop.example/moved' }],
    ['was enabled', { status: 'enabled' }],
    ['has got another address and was enabled', { url: 'https://shop.example/moved', status: 'enabled' }],
  ] as const)('%s does not count, not even a 410', async (_, change) => {
    const delivery = await leased();
    await changeEndpoint(engine.db, owner, endpoint, change);
    expect(await fail(delivery, { isGone: true })).toBe(false);
    expect(await shown()).toMatchObject({ status: 'enabled', failures: 0, resting_until: null });
  });

  it('has got another address, which was changed while the attempt began, does not count', async () => {
    const delivery = await leased();
    // Read before the change was committed, and begun after the instant of the change.
    await engine.db
      .updateTable('notification_endpoints')
      .set({ url: 'https://shop.example/moved' })
      .execute();
    expect(await fail(delivery, { isGone: true })).toBe(false);
    expect(await shown()).toMatchObject({ status: 'enabled', failures: 0, resting_until: null });
  });

  it('counts if nothing has changed since its attempt began', async () => {
    await changeEndpoint(engine.db, owner, endpoint, { url: 'https://shop.example/moved' });
    expect(await fail(await leased())).toBe(false);
    expect(await shown()).toMatchObject({ failures: 1, resting_until: expect.any(Date) as Date });
  });

  it('disables it if it says so and nothing has changed', async () => {
    expect(await fail(await leased(), { isGone: true })).toBe(true);
    expect(await shown()).toMatchObject({ status: 'disabled', status_reason: 'It answered 410 Gone.' });
  });
});

describe('a failure of a process whose lease was taken over', () => {
  it.each([
    ['does not count', {}],
    ['does not count, not even a 410', { isGone: true }],
  ])('%s: another process has delivered it since', async (_, rules) => {
    const lost = await leased();
    await endLease();
    await deliver(await leased());
    expect(await fail(lost, rules)).toBe(false);
    expect(await shown()).toMatchObject({ status: 'enabled', failures: 0, failing_since: null });
  });
});

describe('an endpoint for which nothing could be signed for four days', () => {
  beforeEach(async () => {
    await fail(await leased(), { isUnsent: true, restMs: () => 0 });
    await endLease();
    const failing_since = new Date(Date.now() - 4 * dayMs);
    await engine.db.updateTable('notification_endpoints').set({ failing_since }).execute();
  });

  it('is shown as failing, and stays enabled', async () => {
    expect(await fail(await leased(), { isUnsent: true })).toBe(false);
    const failingForMs = Date.now() - Number((await shown())?.failing_since);
    expect(failingForMs).toBeGreaterThan(3 * dayMs);
  });

  it('is not disabled by the first failure of what is sent: the days before do not count', async () => {
    expect(await fail(await leased())).toBe(false);
    const { status, failures, failing_since } = (await shown()) ?? {};
    expect({ status, failures }).toEqual({ status: 'enabled', failures: 1 });
    expect(Date.now() - Number(failing_since)).toBeLessThan(dayMs);
  });

  it('is shown as failing no more once one is taken', async () => {
    await deliver(await leased());
    expect(await shown()).toMatchObject({ failures: 0, failing_since: null });
  });
});

describe('a success', () => {
  it('at the address before does not clear the failures of the present one; one there does', async () => {
    const before = await leased();
    await changeEndpoint(engine.db, owner, endpoint, { url: 'https://shop.example/moved' });
    await writeTransition(engine.db, going(await storePayment(engine.db), 'authorizing', 'authorized', 3));
    const present = await leased();
    await fail(present);
    const failing = await shown();
    await deliver(before);
    expect(await shown()).toEqual(failing);
    expect(failing).toMatchObject({ failures: 1, resting_until: expect.any(Date) as Date });
    await deliver(present);
    expect(await shown()).toMatchObject({ failures: 0, failing_since: null, resting_until: null });
  });
});

describe('what is pending', () => {
  it.each([
    ['is enabled', { status: 'enabled' }],
    ['gets another address', { url: 'https://shop.example/moved' }],
  ] as const)('is sent when its endpoint %s, in its order', async (_, change) => {
    await fail(await leased());
    await changeEndpoint(engine.db, owner, endpoint, change);
    const again = await leased();
    expect(again.type).toBe('payment.authorized');
    expect(await due()).toEqual([]);
    await deliver(again);
    expect(await due()).toEqual(['payment.captured']);
  });

  it('is sent to the new address at once also if an attempt at the old one fails later', async () => {
    const delivery = await leased();
    await changeEndpoint(engine.db, owner, endpoint, { url: 'https://shop.example/moved' });
    expect(await due()).toEqual([]);
    await fail(delivery);
    expect(await due()).toEqual(['payment.authorized']);
  });

  it('is not sent at once when only the description of its endpoint is changed', async () => {
    await fail(await leased(), { restMs: () => 0 });
    await changeEndpoint(engine.db, owner, endpoint, { description: 'ours' });
    expect(await due()).toEqual([]);
  });

  it('is sent again on request, whatever becomes of one after it that is under way', async () => {
    const first = await leased();
    await deliver(first);
    const second = await leased();
    await resendNotification(engine.db, first.sequence);
    await fail(second, { restMs: () => 0 });
    expect(await due()).toEqual(['payment.authorized']);
  });

  it('behind a notification that was sent again is sent once that one was taken', async () => {
    const first = await leased();
    await fail(first, { restMs: () => 0 });
    expect(await resendNotification(engine.db, first.sequence)).toBe(1);
    const again = await leased();
    expect(await due()).toEqual([]);
    await deliver(again);
    expect(await due()).toEqual(['payment.captured']);
  });
});

describe('a delivery that has waited for its place', () => {
  it.each<[string, boolean, (delivery: LeasedDelivery) => Promise<unknown>]>([
    ['is sent while its lease lasts', true, change({ description: 'ours' })],
    ['is not sent after its lease', false, endLease],
    [
      'is not sent if another process has leased it since',
      false,
      async () => [await endLease(), await leased()],
    ],
    ['is not sent if it was delivered since', false, deliver],
    ['is not sent to an endpoint that was disabled since', false, change({ status: 'disabled' })],
    [
      'is not sent to an address that was changed since',
      false,
      change({ url: 'https://shop.example/moved' }),
    ],
  ])('%s', async (_, isSent, happen) => {
    const delivery = await leased();
    await happen(delivery);
    expect(await confirmLease(engine.db, delivery)).toBe(isSent);
  });
});

describe('a delivery whose processes died before they had a result', () => {
  it('has all its tries before it, also when it is sent again', async () => {
    for (let n = 0; n < 12; n += 1) {
      expect(await leased()).toMatchObject({ leases: n + 1, tries: 1 });
      await endLease();
    }
    const last = await leased();
    await fail(last, { restMs: () => 0 });
    await endLease();
    expect(await leased()).toMatchObject({ tries: 2 });
    await endLease();
    await resendNotification(engine.db, last.sequence);
    expect(await leased()).toMatchObject({ tries: 1 });
  });
});
