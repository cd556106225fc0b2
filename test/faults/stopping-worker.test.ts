import { afterEach, describe, expect, it } from 'vitest';
import { type Engine, startEngine } from '../helpers/engine.js';
import { until } from '../helpers/until.js';

describe('a worker that is stopped while the provider holds its call', () => {
  let engine: Engine;
  afterEach(() => engine.close());

  it('case 1: aborts the call, and the next worker proves its outcome and captures once', async () => {
    engine = await startEngine({ approval: 'immediate', withWorker: false });
    const worker = await engine.startWorker();
    const { body } = await engine.orders.order();
    await engine.orders.reaches(body.id, 'authorized');
    // Held for longer than this test may take, and carried out after the worker has let go of it.
    const hold = { kind: 'late', executeAfterMs: 3_000, delayMs: 600_000 };
    await engine.sandbox.fault({ operation: 'authorization.capture', ...hold });
    const capturing = engine.orders.capture(body.id);
    await until(
      () => engine.sandbox.calls('inflight=true'),
      (calls) => calls.some(({ operation }) => operation === 'authorization.capture'),
      'the capture in flight',
    );
    await worker.close();
    await engine.startWorker();
    expect((await engine.orders.reaches(body.id, 'captured')).amounts.captured.value).toBe('100.00');
    expect(await engine.sandbox.booksOf(body.id)).toEqual(['hold 10000', 'capture 10000']);
    await capturing;
  });
});
