import { afterEach, describe, expect, it } from 'vitest';
import { openStage, type Stage, type StageWorker } from '../faults/dying-worker.js';
import { approved, held, identitiesOf, liveUntil, promptProvider } from './live-on.js';

let stage: Stage;
afterEach(() => stage.close());

const steps = {
  executePayment: {
    operation: 'payment.execute',
    play: async (worker: StageWorker) => {
      const { position, payerId } = await approved(stage, worker);
      const taken = await worker.take(position, { type: 'payerApproved', payerId });
      return await liveUntil(worker, taken, 'authorized');
    },
    movements: ['hold 10000'],
  },
  captureAuthorization: {
    operation: 'authorization.capture',
    play: async (worker: StageWorker) => {
      const capture = { type: 'captureRequested', commandId: 'cmd_1', minor: 4_000, final: false } as const;
      const taken = await worker.take(await held(stage, worker), capture);
      return await liveUntil(worker, taken, 'partially_captured');
    },
    movements: ['hold 10000', 'capture 4000'],
  },
  voidAuthorization: {
    operation: 'authorization.void',
    play: async (worker: StageWorker) => {
      const taken = await worker.take(await held(stage, worker), {
        type: 'voidRequested',
        commandId: 'cmd_1',
      });
      return await liveUntil(worker, taken, 'voided');
    },
    movements: ['hold 10000', 'release 10000'],
  },
} as const;

describe('case 2: a key under which the provider keeps a failure', () => {
  it.each([
    ['executePayment', 'declared'],
    ['executePayment', 'all'],
    ['captureAuthorization', 'declared'],
    ['captureAuthorization', 'all'],
    ['voidAuthorization', 'declared'],
    ['voidAuthorization', 'all'],
  ] as const)(
    'is given up only for %s proved undone, which moves money once (idempotency: %s)',
    async (step, idempotency) => {
      stage = await openStage(promptProvider);
      await stage.sandbox.configure({ idempotency });
      const { operation, play, movements } = steps[step];
      await stage.sandbox.fault({ operation, kind: 'poison' });
      await play(stage.hireWorker());
      expect(await stage.books()).toEqual(movements);

      const identities = await identitiesOf(stage, step);
      const isKept = step === 'captureAuthorization' && idempotency === 'declared';
      expect(identities.slice(0, -1).every(({ outcome }) => outcome === 'undone')).toBe(true);
      expect(identities.at(-1)?.outcome).toBe('answered');
      expect(identities.length).toBeGreaterThan(1);
      expect(identities.at(-1)?.request_id === identities[0]?.request_id).toBe(isKept);
    },
  );

  it('does not change the key during a provider outage: the same request is sent again', async () => {
    stage = await openStage(promptProvider);
    await stage.sandbox.fault({ operation: 'authorization.void', kind: 'status', status: 500, times: 4 });
    await steps.voidAuthorization.play(stage.hireWorker());
    expect(await stage.books()).toEqual(['hold 10000', 'release 10000']);
    const identities = await identitiesOf(stage, 'voidAuthorization');
    expect(identities).toHaveLength(2);
    expect(new Set(identities.map(({ request_id }) => request_id))).toHaveProperty('size', 1);
  });
});
