import { expect, it } from 'vitest';
import { startEngine } from '../helpers/engine.js';

const steps = 10;

it('an application whose provider hangs takes half of a worker’s places, and another one’s order is made meanwhile', async () => {
  const engine = await startEngine({ withNeighbour: true, steps, answerWithinMs: 100 });
  try {
    const { clientId } = engine.sandbox;
    await engine.sandbox.fault({
      kind: 'delay',
      delayMs: 600_000,
      operation: 'payment.create',
      clientId,
      times: null,
    });
    await Promise.all(Array.from({ length: steps + 2 }, () => engine.orders.order()));
    await expect.poll(() => engine.sandbox.faultsMet(), { timeout: 60_000 }).toEqual([steps / 2]);
    const { body } = await engine.neighbour.order();
    await engine.neighbour.reaches(body.id, 'awaiting_approval');
    // No call that hangs has ended: the order waited for none of them.
    const ended = await engine.db
      .selectFrom('attempts')
      .select(['subject_id', 'outcome'])
      .where('outcome', 'is not', null)
      .execute();
    expect(ended).toEqual([{ subject_id: body.id, outcome: 'answered' }]);
    // Those that had no place have begun nothing, and come once there is one.
    await engine.sandbox.clearFaults();
    const begun = async () => (await engine.db.selectFrom('attempts').select('id').execute()).length;
    await expect.poll(begun, { timeout: 120_000 }).toBe(steps + 3);
  } finally {
    await engine.close();
  }
});
