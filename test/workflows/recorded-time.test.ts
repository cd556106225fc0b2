import { expect, it } from 'vitest';
import { forAllTests } from '../helpers/shared.js';
import { until } from '../helpers/until.js';
import { startRunFixture } from './payment-run.js';
import { keptAlive } from './kept-alive.js';

const fixture = forAllTests(() => startRunFixture({}));

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
