import { beforeAll, expect, it } from 'vitest';
import { until } from '../helpers/until.js';
import { type RunFixture, startRunFixture } from './payment-run.js';
import { keptAlive } from './kept-alive.js';

let fixture: RunFixture;
beforeAll(async () => {
  fixture = await startRunFixture({});
  return () => fixture.close();
});

it('a run whose reads took longer than a workflow task continues on another worker', async () => {
  const run = await keptAlive(fixture);
  await fixture.sandbox.clearFaults();
  await fixture.worker.close();
  await fixture.startWorker();
  await run.approve();
  await until(
    () => run.snapshot(),
    ({ state }) => state.status === 'authorized',
    'the payment to be authorized',
  );
  expect(await fixture.sandbox.booksOf(run.identity.paymentId)).toEqual(['hold 10000']);
});
