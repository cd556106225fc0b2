import { expect, it } from 'vitest';
import { workflowIdOf } from '#workflows/contract';
import { startEngine } from '../helpers/engine.js';
import { forAllTests } from '../helpers/shared.js';
import { PayoutService, item } from '../payouts/payout-service.js';

const count = 10_000;

const engine = forAllTests(startEngine);
const service = new PayoutService(engine);

it('pays 10,000 receivers once, with a history that does not grow with them', async () => {
  // Nobody answers the first creation, and each item reports itself.
  await engine.sandbox.fault({ kind: 'drop_reply', operation: 'payout.create' });
  const items = Array.from({ length: count }, (_none, n) =>
    item(`i-${n}`, n % 100 === 0 ? 'failed' : 'success', '1.00'),
  );
  const { status, body } = await service.order(items, { emailSubject: 'Your share' });
  expect([201, 202]).toContain(status);
  const { totals } = await service.reaches(body.id, 'completed');
  expect([totals['success'], totals['failed']]).toMatchObject([
    { count: 9_900, amount: { value: '9900.00' } },
    { count: 100, amount: { value: '100.00' } },
  ]);
  const movements = await service.movementsOf(body.id);
  const paid = movements.filter(({ kind }) => kind === 'payout').map(({ custom }) => custom);
  expect([paid.length, new Set(paid).size]).toEqual([count, count]);
  expect(movements.filter(({ kind }) => kind === 'payout_return')).toHaveLength(100);
  expect(await engine.sandbox.booksAreSound()).toBe(true);

  const handle = engine.temporal.workflow.getHandle(
    workflowIdOf({ environment: 'sandbox', application: 'shop', id: body.id }),
  );
  const { historyLength, historySize = 0 } = await handle.describe();
  expect(historyLength).toBeLessThan(100);
  expect(historySize).toBeLessThan(200_000);
});
