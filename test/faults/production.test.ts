import { expect, it } from 'vitest';
import { judgeScenarios } from '#proof/faults/campaign/judge-scenarios.js';
import { Production } from '#proof/faults/campaign/production.js';
import type { Scenario } from '#proof/faults/lifecycle.js';

it('says why no stock could be taken of a lifecycle', async ({ signal }) => {
  const scenario: Scenario = {
    title: 'an order',
    application: 'shop',
    play: () => Promise.resolve(),
    takeStock: () => Promise.reject(new Error('the provider answered 400')),
    references: () => ['order-1'],
    judge: () => ({ discrepancies: [], requests: 0 }),
  };
  const production = new Production([scenario], () => ({}) as never, 1, signal);
  await production.startAll(() => Promise.resolve());
  await production.untilEnded(1_000);
  await production.takeStock();
  expect(judgeScenarios(production.scenarios, [], []).discrepancies).toEqual([
    { kind: 'stuck', what: 'order-1 (an order): no stock was taken: the provider answered 400' },
  ]);
});
