import { randomBytes } from 'node:crypto';
import { expect, it, vi } from 'vitest';
import { log } from '#worker/process/log.js';
import { ProviderClients } from '#worker/provider/provider-clients.js';
import { startEngine } from '../helpers/engine.js';
import { startTestWorker } from '../helpers/worker.js';

it('an order for an application that the worker lacks waits, is reported to the operator, and is carried out once it is configured', async () => {
  const codecKeys = { current: 'test', keys: new Map([['test', randomBytes(32)]]) };
  const engine = await startEngine({ withWorker: false, codecKeys, answerWithinMs: 100 });
  const reported = vi.spyOn(log, 'error');
  const tries = noteTries('shop');
  const lacking = await startTestWorker({
    databaseUrl: engine.databaseUrl,
    taskQueue: engine.taskQueue,
    application: { ...engine.application, application: 'bookshop' },
    codecKeys,
    publicUrl: engine.apiUrl,
  });
  const dismiss = () => lacking.close().catch(() => undefined);
  try {
    const { body } = await engine.orders.order();
    await expect.poll(() => reported.mock.calls.length).toBeGreaterThan(0);
    expect(reported).toHaveBeenCalledWith(
      { environment: 'sandbox', application: 'shop' },
      expect.stringContaining('Add it to PROVIDER_APPLICATIONS'),
    );
    // It is tried again and again, each time later, and the operator is not told each time.
    await expect.poll(() => tries.length).toBeGreaterThan(waitsMs.length);
    for (const [nth, waitMs] of waitsMs.entries())
      expect((tries[nth + 1] ?? 0) - (tries[nth] ?? 0)).toBeGreaterThan(waitMs);
    expect(reported.mock.calls.length).toBeLessThan(tries.length);
    expect(await engine.orders.get(body.id)).toMatchObject({ state: 'creating' });
    // Begun and not made, an attempt would have an unknown outcome until the horizon.
    expect(await engine.db.selectFrom('attempts').selectAll().execute()).toEqual([]);
    await dismiss();
    await engine.startWorker();
    expect(await engine.orders.reaches(body.id, 'awaiting_approval')).toMatchObject({ id: body.id });
    expect(await engine.db.selectFrom('attempts').select('outcome').execute()).toEqual([
      { outcome: 'answered' },
    ]);
  } finally {
    vi.restoreAllMocks();
    await dismiss();
    await engine.close();
  }
});

it('runs of an application that the worker lacks hold no place while they wait: another one’s order is made', async () => {
  const codecKeys = { current: 'test', keys: new Map([['test', randomBytes(32)]]) };
  const engine = await startEngine({
    withWorker: false,
    withNeighbour: true,
    codecKeys,
    answerWithinMs: 100,
  });
  const steps = 2;
  const lacking = await startTestWorker({
    databaseUrl: engine.databaseUrl,
    taskQueue: engine.taskQueue,
    application: { ...engine.application, application: 'neighbour' },
    steps,
    codecKeys,
    publicUrl: engine.apiUrl,
  });
  const tries = noteTries('shop');
  try {
    // More than the worker has places for their workflow tasks, which are ten more than its steps.
    const lost = steps + 20;
    await Promise.all(Array.from({ length: lost }, () => engine.orders.order()));
    const { body } = await engine.neighbour.order();
    expect(await engine.neighbour.reaches(body.id, 'awaiting_approval')).toMatchObject({ id: body.id });
    await expect.poll(() => tries.length).toBeGreaterThan(lost);
  } finally {
    vi.restoreAllMocks();
    await lacking.close();
    await engine.close();
  }
});

/** Somewhat less than the waits between the first tries of a run: a machine that is slow only makes them longer. */
const waitsMs = [990, 1_190, 1_430];

/** When steps of the application have asked for its client. */
function noteTries(application: string): readonly number[] {
  const tries: number[] = [];
  const findClient = Reflect.get<ProviderClients, 'for'>(ProviderClients.prototype, 'for');
  vi.spyOn(ProviderClients.prototype, 'for').mockImplementation(function (this: ProviderClients, owner) {
    if (owner.application === application) tries.push(performance.now());
    return findClient.call(this, owner);
  });
  return tries;
}
