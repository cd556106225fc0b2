import { beforeAll, expect, it } from 'vitest';
import { startEngine } from '../helpers/engine.js';
import { forAllTests } from '../helpers/shared.js';
import { until } from '../helpers/until.js';

const engine = forAllTests(() => startEngine({ dayLengthMs: 500, approval: 'immediate' }));
beforeAll(async () => {
  // Nothing but its own deadlines ends the payment, and they come one after the other, however late.
  await engine.sandbox.fault({ kind: 'drop_delivery', times: null });
});

it('case 13: a capture after day 29 gets 409 with the state, and no call to the provider is made', async () => {
  const { body } = await engine.orders.order({ expiryPolicy: { action: 'expire' } });
  expect(body.deadlines.captureUntil).not.toBeNull();
  const warned = await engine.orders.reaches(body.id, 'expired');
  expect(warned.warning).toBe('capture_window_ending');

  const captures = async () =>
    (await engine.sandbox.calls('limit=500')).filter(
      ({ operation }) => operation === 'authorization.capture',
    );
  const before = await captures();
  const late = await engine.orders.capture<{ currentState: string }>(body.id);
  expect(late).toMatchObject({ status: 409, body: { currentState: 'expired' } });
  expect(await captures()).toEqual(before);
  // By a clock of its own.
  const books = await until(
    () => engine.sandbox.booksOf(body.id),
    ({ length }) => length > 1,
    'the provider to let the hold go',
  );
  expect(books).toEqual(['hold 10000', 'release 10000']);
});
