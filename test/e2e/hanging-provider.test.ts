import { sql } from 'kysely';
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
    await Promise.all(Array.from({ length: 3 * steps }, () => engine.orders.order()));
    const hanging = async () => (await engine.sandbox.faultsMet())[0];
    await expect.poll(hanging).toBeGreaterThanOrEqual(steps / 2);
    const { body } = await engine.neighbour.order();
    await engine.neighbour.reaches(body.id, 'awaiting_approval');
    // By the order of arrival it would be the last one. How many come before it is told by how long it waited.
    const { rows } = await sql<{ before: number }>`select count(*)::integer as before from attempts
      where begun_at < (select begun_at from attempts where subject_id = ${body.id})`.execute(engine.db);
    expect(rows[0]?.before).toBeLessThan(2 * steps);
    // Those that had no place have begun nothing, and come once there is one.
    await engine.sandbox.clearFaults();
    const begun = async () => (await engine.db.selectFrom('attempts').select('id').execute()).length;
    await expect.poll(begun).toBe(3 * steps + 1);
  } finally {
    await engine.close();
  }
});
