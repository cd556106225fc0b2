import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { PaymentsClient } from '#payments-client';
import { openStage, type Stage } from '../faults/dying-worker.js';
import { approved, liveUntil, promptProvider } from './live-on.js';

let stage: Stage;
afterEach(() => stage.close());

/** By another client of the same account: the provider's dashboard. */
async function releaseElsewhere(providerPaymentId: string): Promise<void> {
  const { url, clientId, clientSecret } = stage.sandbox;
  const client = new PaymentsClient({ baseUrl: url, clientId, clientSecret });
  const { transactions } = await client.payments.get(providerPaymentId);
  await client.authorizations.void(transactions[0]?.authorizationId ?? '', { requestId: randomUUID() });
  await client.close();
}

describe('case 1: an execution whose reply was lost', () => {
  it.each(['manual', 'automatic'] as const)(
    'ends voided when its hold was released elsewhere before the lookup (capture: %s)',
    async (mode) => {
      const { patience } = promptProvider;
      stage = await openStage({ patience: { ...patience, reviewAfterMs: 3_000 }, capturePolicy: { mode } });
      const worker = stage.hireWorker();
      const { position, payerId } = await approved(stage, worker);
      await stage.sandbox.fault({ operation: 'payment.execute', kind: 'drop_reply', times: 4 });
      const inDoubt = await worker.take(position, { type: 'payerApproved', payerId });
      expect(inDoubt.state).toMatchObject({ status: 'authorizing', openStep: { phase: 'doubt' } });
      await releaseElsewhere(inDoubt.state.providerPaymentId ?? '');
      const ended = await liveUntil(worker, inDoubt, 'voided', 'needs_review');
      expect(ended.state).toMatchObject({ status: 'voided', released: true });
      expect(await stage.books()).toEqual(['hold 10000', 'release 10000']);
    },
  );
});
