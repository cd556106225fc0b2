import { randomUUID } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import { isSignedBy } from '../helpers/notification-receiver.js';
import { forAllTests } from '../helpers/shared.js';
import { until } from '../helpers/until.js';
import { waitingForLocks } from '../helpers/waiting-for-locks.js';
import { authorizedState } from './api-fixture.js';
import { NotifiedShop } from './notified-shop.js';

const shop = forAllTests(() => NotifiedShop.start({ disableAfterMs: 300, waitsMs: [400, 400] }));
afterEach(async () => {
  await shop.forgetEndpoints();
});

test('both secrets sign after a rotation, and the old one stops when its time is over', async () => {
  const { id, secret: old, receiver } = await shop.endpoint();
  const idempotencyKey = randomUUID();
  const rotated = await shop.ask(`/${id}/rotate-secret`, undefined, { idempotencyKey });
  const again = await shop.ask(`/${id}/rotate-secret`, undefined, { idempotencyKey });
  const { secret } = rotated.body as { secret: string };
  expect([rotated.status, again.body['secret']]).toEqual([200, secret]);
  const replayed = [rotated, again].map(({ headers }) => headers.get('idempotent-replayed'));
  expect(replayed).toEqual([null, 'true']);
  expect(secret).not.toBe(old);
  await shop.delivered(await shop.api.paymentWith(authorizedState()));
  const [first] = receiver.received;
  expect([isSignedBy(secret, first!), isSignedBy(old, first!)]).toEqual([true, true]);

  const third = await shop.ask(`/${id}/rotate-secret`, { overlapHours: 0 });
  await shop.delivered(await shop.api.paymentWith(authorizedState()));
  const last = receiver.received.at(-1);
  expect(isSignedBy((third.body as { secret: string }).secret, last!)).toBe(true);
  expect([isSignedBy(secret, last!), isSignedBy(old, last!)]).toEqual([false, false]);
});

test('each earlier secret signs until its time is over, however many rotations come', async () => {
  const { id, secret: first, receiver } = await shop.endpoint();
  const rotate = async (overlapHours: number, idempotencyKey: string = randomUUID()) =>
    (await shop.ask(`/${id}/rotate-secret`, { overlapHours }, { idempotencyKey })).body['secret'] as string;
  const signers = async (...secrets: string[]) => {
    await shop.delivered(await shop.api.paymentWith(authorizedState()));
    const last = receiver.received.at(-1);
    return secrets.map((secret) => isSignedBy(secret, last!));
  };
  const key = randomUUID();
  const second = await rotate(24, key);
  const third = await rotate(24);
  expect(await signers(first, second, third)).toEqual([true, true, true]);

  // A late copy of the first rotation replaces nothing: nobody would learn the secret.
  expect(await rotate(24, key)).toBe(third);
  expect(await signers(third)).toEqual([true]);

  const fourth = await rotate(0);
  expect(await signers(first, second, third, fourth)).toEqual([false, false, false, true]);
});

test('of two rotations at the same time, the secret of the first signs beside that of the second', async () => {
  const { id, receiver } = await shop.endpoint();
  const { db } = shop.api;
  const holder = await db.startTransaction().execute();
  await holder.selectFrom('notification_endpoints').select('id').where('id', '=', id).forUpdate().execute();
  const rotations = [1, 2].map(async () => await shop.ask(`/${id}/rotate-secret`, { overlapHours: 24 }));
  await until(
    () => waitingForLocks(db),
    (waiting) => waiting === rotations.length,
    'both to wait for the endpoint',
  );
  await holder.rollback().execute();
  const secrets = (await Promise.all(rotations)).map(({ body }) => body['secret'] as string);
  await shop.delivered(await shop.api.paymentWith(authorizedState()));
  const last = receiver.received.at(-1);
  expect(secrets.map((secret) => isSignedBy(secret, last!))).toEqual([true, true]);
});

test('a rotation that is to end the earlier secret at once is refused under the key of one that lets it sign on', async () => {
  const { id } = await shop.endpoint();
  const idempotencyKey = randomUUID();
  const first = await shop.ask(`/${id}/rotate-secret`, { overlapHours: 24 }, { idempotencyKey });
  const other = await shop.ask(`/${id}/rotate-secret`, { overlapHours: 0 }, { idempotencyKey });
  expect([other.status, other.body['code']]).toEqual([409, 'idempotency_key_reused']);
  const again = await shop.ask(`/${id}/rotate-secret`, undefined, { idempotencyKey });
  expect([again.status, again.body['secret']]).toEqual([200, first.body['secret']]);
});
