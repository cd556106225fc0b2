import { afterEach, describe, expect, it } from 'vitest';
import { PaymentsClient } from '#payments-client';
import { openStage, type Stage } from '../faults/dying-worker.js';
import { testWaitPolicy } from '../helpers/worker.js';
import { liveUntil } from './live-on.js';

/** Every look comes after the horizon: what it shows to be absent is proved to be. */
const promptly = { patience: { ...testWaitPolicy, outcomeHorizonMs: 1 }, intent: 'sale' } as const;

let stage: Stage;
afterEach(() => stage.close());

async function lostCreation() {
  stage = await openStage(promptly);
  const worker = stage.hireWorker();
  await stage.sandbox.configure({ approval: 'immediate' });
  await stage.sandbox.fault({ operation: 'payment.create', kind: 'drop_reply' });
  const ordered = await worker.follow(stage.ordered, { type: 'perform', step: { type: 'createPayment' } });
  expect(ordered.state.openStep?.phase).toBe('doubt');
  return { worker, ordered };
}

/** As many as a page holds, all newer than the one in doubt. */
async function sellElsewhere(): Promise<void> {
  const { url: baseUrl, clientId, clientSecret } = stage.sandbox;
  const client = new PaymentsClient({ baseUrl, clientId, clientSecret });
  for (let n = 0; n < 20; n += 1) {
    const transactions = [
      { amount: { value: '1.00', currency: 'USD' }, custom: `other_${n}`, invoiceNumber: `other_${n}` },
    ];
    const urls = { returnUrl: 'https://shop.example/a', cancelUrl: 'https://shop.example/b' };
    await client.payments.create({ intent: 'sale', ...urls, transactions }, { requestId: `other_${n}` });
  }
  await client.close();
}

describe('a page of payments', () => {
  it.each([
    ['that leaves out an entry which it counts', { remove: ['payments[0]'] }],
    ['that is empty, and counts one', { add: { payments: [] } }],
  ])('%s does not prove that nothing was sold', async (_, fault) => {
    const { worker, ordered } = await lostCreation();
    await stage.sandbox.fault({ operation: 'payment.list', kind: 'reshape', times: 1, ...fault });
    await liveUntil(worker, ordered, 'completed');
    expect(await stage.books()).toEqual(['sale 10000']);
  });

  it('that is full, and does not name the next one, does not prove that nothing was sold', async () => {
    const { worker, ordered } = await lostCreation();
    await sellElsewhere();
    await stage.sandbox.fault({
      operation: 'payment.list',
      kind: 'reshape',
      times: 1,
      remove: ['next_id'],
    });
    await liveUntil(worker, ordered, 'completed');
    expect(await stage.books()).toEqual(['sale 10000']);
  });
});
