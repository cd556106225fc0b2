import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openMaintenance } from '#worker/maintenance-context.js';
import { reconcileRuns } from '#worker/reconciliation/reconcile-runs.js';
import { recover } from '#worker/recover.js';
import { acceptCommand } from '#database/commands';
import { notePayerCancelled } from '#database/subjects';
import type { CodecKeys } from '#payload-codec';
import { openTemporalClient } from '#runs';
import { paymentWorkflowId } from '#workflows/contract';
import { type Engine, startEngine } from '../helpers/engine.js';
import { forgetRun } from '../helpers/forget-run.js';
import { until } from '../helpers/until.js';
import { configOfWorker } from '../helpers/worker.js';
import { authorizedPayment, paymentRow, providerIdOf, timelineOf } from './payment-rows.js';

const codecKeys: CodecKeys = { current: 'test', keys: new Map([['test', randomBytes(32)]]) };
const owner = { environment: 'sandbox', application: 'shop' };

let engine: Engine;
beforeAll(async () => {
  // What the engine learns, it learns by recovery.
  engine = await startEngine({
    codecKeys,
    patience: { firstPollMs: 900_000, longestPollMs: 900_000 },
    reconciles: 'never',
  });
});
afterAll(async () => {
  await engine.close();
});

const configOfEngine = () => ({
  ...configOfWorker({ ...engine, publicUrl: engine.apiUrl, codecKeys, reconciles: 'never' }),
  // A subject that has just changed is looked at, too.
  RECONCILE_LOST_AFTER_MS: 1,
});

const recoverAll = async () => {
  const options = { concurrency: 8, eventsForMs: 3_600_000, report: () => undefined };
  const [shop] = await recover(configOfEngine(), options);
  if (!shop) throw new Error('nothing was recovered');
  return shop;
};

const authorized = () => authorizedPayment(engine);

async function forget(...ids: readonly string[]): Promise<void> {
  for (const paymentId of ids) await forgetRun(engine.temporal, paymentWorkflowId({ ...owner, paymentId }));
}

describe('a Temporal that has forgotten its runs', () => {
  it('gets them again from the rows, once each, from two recoveries beside each other', async () => {
    const [held, waiting] = [await authorized(), (await engine.orders.order()).body];
    const captured = await authorized();
    await engine.orders.capture(captured.id, { amount: { value: '40.00', currency: 'USD' } });
    const all = [held.id, waiting.id, captured.id];
    await forget(...all);

    const found = await Promise.all([recoverAll(), recoverAll()]);
    const rebuilt = found.map(({ runs }) => runs.get('payment')?.rebuilt ?? 0);
    expect(rebuilt.reduce((sum, count) => sum + count)).toBe(3);

    await engine.orders.capture(held.id);
    await engine.orders.comeBack(await engine.sandbox.approve(await providerIdOf(engine, waiting.id)));
    await engine.orders.reaches(waiting.id, 'authorized');
    await engine.orders.void(waiting.id);
    await engine.orders.release(captured.id);
    expect(await engine.sandbox.booksOf(held.id)).toEqual(['hold 10000', 'capture 10000']);
    expect(await engine.sandbox.booksOf(waiting.id)).toEqual(['hold 10000', 'release 10000']);
    expect(await engine.sandbox.booksOf(captured.id)).toEqual(['hold 10000', 'capture 4000', 'release 6000']);
  });

  it('knows who ordered a payment, in case the order is lost in a restore', async () => {
    const key = `order-${randomBytes(4).toString('hex')}`;
    const { body } = await engine.orders.order({}, key);
    await forget(body.id);
    await recoverAll();
    const { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace } = configOfEngine();
    const temporal = openTemporalClient({ address, namespace, codecKeys, caller: 'worker' });
    try {
      const run = temporal.workflow.getHandle(paymentWorkflowId({ ...owner, paymentId: body.id }));
      expect((await run.describe()).memo).toMatchObject({
        orderedBy: { kind: 'create', idempotencyKey: key, commandId: `${body.id}:order` },
      });
    } finally {
      await temporal.connection.close();
    }
  });

  it('does not make the engine capture twice when a capture was in flight', async () => {
    const { id } = await authorized();
    const late = { kind: 'late', executeAfterMs: 1_000, delayMs: 20_000 };
    await engine.sandbox.fault({ operation: 'authorization.capture', ...late });
    const capture = engine.orders.capture(id);
    await until(
      () => engine.sandbox.calls('inflight=true'),
      (calls) => calls.some(({ operation }) => operation === 'authorization.capture'),
      'the capture to be in flight',
    );
    await forget(id);
    await recoverAll();
    await engine.orders.reaches(id, 'captured');
    expect((await capture).status).toBeLessThan(300);
    expect(await engine.sandbox.booksOf(id)).toEqual(['hold 10000', 'capture 10000']);
  });

  it('is given the commands that were accepted meanwhile', async () => {
    const { id } = await authorized();
    await forget(id);
    await acceptCommand(engine.db, {
      ...owner,
      id: `cmd_meanwhile_${id}`,
      idempotencyKey: `meanwhile-${id}`,
      bodyHash: '',
      kind: 'void',
      subjectId: id,
      parameters: {},
      requestedBy: 'test',
    });
    await recoverAll();
    await engine.orders.reaches(id, 'voided');
    expect(await engine.sandbox.booksOf(id)).toEqual(['hold 10000', 'release 10000']);
  });

  it('is told of the payer who had cancelled, if that signal was lost with the run', async () => {
    const { id } = (await engine.orders.order()).body;
    await notePayerCancelled(engine.db, 'payments', id);
    await forget(id);
    await recoverAll();
    await engine.orders.reaches(id, 'cancelled');
    expect(await engine.sandbox.booksOf(id)).toEqual([]);
  });

  it('is noticed by reconciliation, which tells operators the command', async () => {
    const ids = await Promise.all(
      Array.from({ length: 5 }, async () => (await engine.orders.order()).body.id),
    );
    await forget(...ids);
    const { context, close } = openMaintenance(configOfEngine(), { workflowsPath: '' });
    try {
      const error = vi.spyOn(context.logger, 'error');
      await reconcileRuns(context, owner);
      expect(error.mock.calls.map(([, text]) => text)).toContainEqual(
        expect.stringMatching(/^5 of \d+ open subjects .*`npm run recover`$/),
      );
      error.mockRestore();
    } finally {
      await close();
    }
    expect(await engine.orders.read('/v1/reconciliation')).toMatchObject({ runsUnknown: 5 });
  });
});

describe('a run that had completed before its row was restored, and that Temporal has forgotten since', () => {
  it('is not made again, so a payment that was cancelled takes nothing from a payer who approves late', async () => {
    const { body } = await engine.orders.order();
    const before = await paymentRow(engine, body.id);
    await engine.orders.cancel(body.id);
    await engine.orders.reaches(body.id, 'cancelled');
    const { status, version } = before;
    await engine.db
      .updateTable('payments')
      .set({ state: JSON.stringify(before.state), status, version })
      .where('id', '=', body.id)
      .execute();
    await recoverAll();
    await forget(body.id);
    await engine.sandbox.approve(before.state.providerPaymentId ?? '');
    await recoverAll();
    expect(await timelineOf(engine, body.id)).not.toContain('runRestarted');
    expect(await engine.sandbox.booksOf(body.id)).toEqual([]);
    const drift = await engine.orders.read<{ data: { subjectId: string; theirs: string }[] }>('/v1/drift');
    expect(drift.data).toContainEqual(expect.objectContaining({ subjectId: body.id, theirs: 'completed' }));
  });
});

describe('a Temporal that has all of its runs', () => {
  it('is left alone', async () => {
    const { id } = await authorized();
    const before = await paymentRow(engine, id);
    const { runs, events } = await recoverAll();
    expect(runs.get('payment')?.open).toBeGreaterThan(0);
    expect([...runs.values()].map(({ rebuilt, failed }) => rebuilt + failed)).toEqual([0, 0, 0, 0, 0]);
    expect(events).toBe(0);
    expect(await paymentRow(engine, id)).toEqual(before);
    expect(await timelineOf(engine, id)).not.toContain('runRestarted');
  });
});
