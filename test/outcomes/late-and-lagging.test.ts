import { afterEach, describe, expect, it } from 'vitest';
import type { Effect, PaymentEvent } from '#workflows/lifecycle/payment/event.js';
import type { Position } from '#workflows/lifecycle/payment/lifecycle.js';
import { openStage, type Stage, type StageWorker } from '../faults/dying-worker.js';
import { until } from '../helpers/until.js';
import { approved, held, identitiesOf, liveUntil } from './live-on.js';

let stage: Stage;
afterEach(() => stage.close());

const create: Effect = { type: 'perform', step: { type: 'createPayment' } };
const capture = { type: 'captureRequested', commandId: 'cmd_1', minor: 4_000, final: false } as const;
const release = { type: 'voidRequested', commandId: 'cmd_1' } as const;

/** What leads to each step, and where it ends. */
interface Play {
  readonly operation: string;
  readonly step: string;
  readonly start: (worker: StageWorker) => Promise<(worker: StageWorker) => Promise<Position>>;
  readonly end: 'authorized' | 'partially_captured' | 'voided';
  readonly movements: readonly string[];
}

const taking = (position: Position, event: PaymentEvent) => (worker: StageWorker) =>
  worker.take(position, event);

const plays: readonly Play[] = [
  {
    operation: 'payment.create',
    step: 'createPayment',
    start: async () => {
      await stage.sandbox.configure({ approval: 'immediate' });
      return (worker) => worker.follow(stage.ordered, create);
    },
    end: 'authorized',
    movements: ['hold 10000'],
  },
  {
    operation: 'payment.execute',
    step: 'executePayment',
    start: async (worker) => {
      const { position, payerId } = await approved(stage, worker);
      return taking(position, { type: 'payerApproved', payerId });
    },
    end: 'authorized',
    movements: ['hold 10000'],
  },
  {
    operation: 'authorization.capture',
    step: 'captureAuthorization',
    start: async (worker) => taking(await held(stage, worker), capture),
    end: 'partially_captured',
    movements: ['hold 10000', 'capture 4000'],
  },
  {
    operation: 'authorization.void',
    step: 'voidAuthorization',
    start: async (worker) => taking(await held(stage, worker), release),
    end: 'voided',
    movements: ['hold 10000', 'release 10000'],
  },
];

/** Case 4 of the creation: no id of the provider is known, so only our own reference can find it. */
describe('cases 1 and 4: a worker dies during a call that is executed late and shown even later', () => {
  it.each(plays)('$operation moves money once, and is never sent again', async (play) => {
    stage = await openStage();
    const sender = stage.hireWorker();
    const send = await play.start(sender);
    await stage.sandbox.fault({
      operation: play.operation,
      kind: 'late',
      executeAfterMs: 1_500,
      delayMs: 60_000,
    });
    void send(sender).catch(() => undefined);
    await until(
      () => stage.sandbox.calls('inflight=true'),
      (calls) => calls.some(({ operation }) => operation === play.operation),
      'the call to be under way',
    );
    await sender.die();
    for (const operation of ['payment.get', 'payment.list']) {
      await stage.sandbox.fault({ operation, kind: 'stale_read', lagMs: 2_000, times: null });
    }

    const successor = stage.hireWorker();
    const ended = await liveUntil(successor, await send(successor), play.end);
    expect(ended.state.openStep).toBeUndefined();
    expect(await stage.books()).toEqual(play.movements);
    expect(await identitiesOf(stage, play.step)).toMatchObject([{ outcome: 'answered' }]);
  });
});
