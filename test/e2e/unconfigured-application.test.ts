import { randomBytes } from 'node:crypto';
import { expect, it, vi } from 'vitest';
import { log } from '#worker/process/log.js';
import { startEngine } from '../helpers/engine.js';
import { startTestWorker } from '../helpers/worker.js';

it('an order for an application that the worker lacks waits, is reported to the operator, and is carried out once it is configured', async () => {
  const codecKeys = { current: 'test', keys: new Map([['test', randomBytes(32)]]) };
  const engine = await startEngine({ withWorker: false, codecKeys, answerWithinMs: 100 });
  const told = vi.spyOn(log, 'error');
  const lacking = await startTestWorker({
    databaseUrl: engine.databaseUrl,
    taskQueue: engine.taskQueue,
    application: { ...engine.application, application: 'bookshop' },
    codecKeys,
    publicUrl: engine.apiUrl,
  });
  // A run that waits keeps it from draining.
  const dismiss = () => lacking.close().catch(() => undefined);
  try {
    const { body } = await engine.orders.order();
    await vi.waitUntil(() => told.mock.calls.length > 0, { timeout: 60_000 });
    expect(told).toHaveBeenCalledWith(
      { environment: 'sandbox', application: 'shop' },
      expect.stringContaining('Add it to PROVIDER_APPLICATIONS'),
    );
    // Begun and not made, an attempt would be in doubt until the horizon.
    expect(await engine.db.selectFrom('attempts').selectAll().execute()).toEqual([]);
    await dismiss();
    await engine.startWorker();
    expect(await engine.orders.reaches(body.id, 'awaiting_approval')).toMatchObject({ id: body.id });
    expect(await engine.db.selectFrom('attempts').select('outcome').execute()).toEqual([
      { outcome: 'answered' },
    ]);
  } finally {
    told.mockRestore();
    await dismiss();
    await engine.close();
  }
});
