import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { refundActivities } from '#worker/refunds/index.js';
import { ProviderClients } from '#worker/provider/provider-clients.js';
import { listAttempts } from '#database/commands';
import { ChangeAnnouncer, type Database, openDatabase } from '#database/connection';
import { findRefund } from '#database/subjects';
import type { RefundIdentity } from '#workflows/contract';
import { type RefundPosition, advanceRefund } from '#workflows/lifecycle/refund/lifecycle.js';
import type { RefundEffect, RefundEvent } from '#workflows/lifecycle/refund/refund.js';
import { type Stage, openStage } from './dying-worker.js';
import { noRuns } from '../helpers/no-runs.js';
import { requestRefund } from '../outcomes/refund-worker.js';

/** A worker that carries a refund on from what Temporal had persisted. */
interface RefundWorker {
  readonly db: Database;
  take(from: RefundPosition, event: RefundEvent): Promise<RefundPosition>;
  follow(from: RefundPosition, effect: RefundEffect): Promise<RefundPosition>;
  close(): Promise<void>;
}

const perform: RefundEffect = { type: 'perform', step: { type: 'makeRefund', commandId: 're_1:request' } };
const identity: RefundIdentity = { environment: 'sandbox', application: 'shop', refundId: 're_1' };

let stage: Stage;
let requested: RefundPosition;
let workers: RefundWorker[];
beforeEach(async () => {
  workers = [];
  stage = await openStage({ capturePolicy: { mode: 'automatic' } });
  const { state } = await requestRefund(stage, identity);
  requested = { state, version: 0 };
});
afterEach(async () => {
  await Promise.all(workers.map((worker) => worker.close()));
  await stage.close();
});

function hire(): RefundWorker {
  const { url: baseUrl, clientId, clientSecret } = stage.sandbox;
  const context = {
    db: openDatabase(stage.databaseUrl, { poolSize: 2 }),
    changes: new ChangeAnnouncer(stage.databaseUrl),
    runs: noRuns,
    providers: new ProviderClients([
      {
        environment: 'sandbox',
        application: 'shop',
        webhookSecret: 'unused-by-a-worker',
        webhookAuthentication: 'signature',
        baseUrl,
        clientId,
        clientSecret,
      },
    ]),
  };
  const activities = refundActivities(context);
  const follow = async (from: RefundPosition, first: RefundEffect): Promise<RefundPosition> => {
    let position = from;
    for (let effect: RefundEffect | undefined = first; effect;) {
      const input = { identity, ...position, timeline: [] };
      const result =
        effect.type === 'perform'
          ? await activities.makeRefund(input)
          : effect.type === 'lookUp'
            ? await activities.lookUpRefund(input)
            : await activities.observeRefund(input);
      if ('ended' in result) return result.ended;
      if ('isLate' in result) throw new Error('The refund has no newer task.');
      const { event, at } = result;
      ({ position, effect } = advanceRefund(position, event, at));
    }
    return position;
  };
  const worker: RefundWorker = {
    db: context.db,
    follow,
    take: async (from, event) => {
      const { position, effect } = advanceRefund(from, event, Date.now());
      return effect ? await follow(position, effect) : position;
    },
    close: async () => {
      await context.db.destroy().catch(() => undefined);
      await Promise.all([context.providers.close(), context.changes.close()]);
    },
  };
  workers.push(worker);
  return worker;
}

const books = async () => (await stage.books()).slice(2);
const rowOf = async () => await findRefund(stage.db, identity, identity.refundId);

/** Looks until the refund is there, as the run does when its step comes due. */
async function lookUntilSettled(worker: RefundWorker, from: RefundPosition): Promise<RefundPosition> {
  let position = from;
  await vi.waitUntil(
    async () => {
      position = await worker.take(position, { type: 'stepCameDue' });
      return position.state.openStep === undefined;
    },
    { timeout: 300_000, interval: 200 },
  );
  return position;
}

describe('case 1: a worker that dies while its refund is under way', () => {
  it('leaves the attempt, by which the next one finds the one refund', async () => {
    const first = hire();
    await stage.sandbox.fault({
      operation: 'capture.refund',
      kind: 'late',
      executeAfterMs: 1_500,
      delayMs: 20_000,
    });
    const lost = first.follow(requested, perform).catch(() => 'dead');
    await expect.poll(async () => await listAttempts(stage.db, identity.refundId)).toHaveLength(1);
    await first.db.destroy();

    // The history knows nothing of it: the step is begun again.
    const second = hire();
    const inDoubt = await second.follow(requested, perform);
    expect(inDoubt.state.openStep).toMatchObject({ phase: 'doubt' });
    const ended = await lookUntilSettled(second, inDoubt);
    expect(ended.state).toMatchObject({ status: 'completed', providerRefundId: expect.any(String) });
    expect(await books()).toEqual(['refund 4000']);
    expect(await rowOf()).toMatchObject({ status: 'completed', version: ended.version });
    await stage.sandbox.clearFaults();
    await lost;
  });

  it('after the answer was written leaves nothing to do: nothing is sent or read again', async () => {
    await hire().follow(requested, perform);
    const calls = await stage.sandbox.calls('limit=100');
    const again = await hire().follow(requested, perform);
    expect(again.state.status).toBe('completed');
    expect(await stage.sandbox.calls('limit=100')).toHaveLength(calls.length);
    expect(await books()).toEqual(['refund 4000']);
  });

  it('is not repeated because of lagging reads', async () => {
    await stage.sandbox.fault({ operation: 'capture.refund', kind: 'drop_reply', times: 8 });
    await stage.sandbox.fault({ operation: 'payment.get', kind: 'stale_read', lagMs: 2_000, times: null });
    const worker = hire();
    const inDoubt = await worker.follow(requested, perform);
    await stage.sandbox.fault({ operation: 'capture.refund', kind: 'status', status: 500, times: null });
    const ended = inDoubt.state.openStep ? await lookUntilSettled(worker, inDoubt) : inDoubt;
    expect(ended.state).toMatchObject({ status: 'completed' });
    expect(await books()).toEqual(['refund 4000']);
  });
});

describe('an incomplete answer', () => {
  it.each([
    ['without its transactions', ['transactions']],
    ['without its related resources', ['transactions[].related_resources']],
    ['without its refunds', ['**.refund']],
    ['without its references', ['**.invoice_number']],
  ])('%s does not prove that nothing was refunded', async (_, remove) => {
    await stage.sandbox.fault({ operation: 'capture.refund', kind: 'drop_reply', times: null });
    const worker = hire();
    const inDoubt = await worker.follow(withHorizon(1), perform);
    expect(inDoubt.state.openStep).toMatchObject({ phase: 'doubt' });
    await stage.sandbox.clearFaults();
    await stage.sandbox.fault({ operation: 'payment.get', kind: 'reshape', remove, times: 1 });
    const ended = await lookUntilSettled(worker, inDoubt);
    expect(ended.state).toMatchObject({ status: 'completed' });
    expect(await books()).toEqual(['refund 4000']);
    // The provider's key would keep a repeat from moving money, for as long as it keeps the key.
    expect(await listAttempts(stage.db, identity.refundId)).toHaveLength(1);
  });
});

/** The refund as it was asked for, of a provider that is never later than that. */
function withHorizon(outcomeHorizonMs: number): RefundPosition {
  const { state, version } = requested;
  return { state: { ...state, patience: { ...state.patience, outcomeHorizonMs } }, version };
}
