import { createHash } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { buildSimulator } from '#proof/simulator/build.js';
import { type Result, runCampaign } from '#proof/simulator/campaign.js';
import type * as Simulator from '#proof/simulator/stage/entry.js';

const slice = { lifecycles: 1_500, seed: 20_260 };
let result: Result;
beforeAll(async () => {
  result = await runCampaign(slice);
});

it('thousands of lifecycles break no promise, whatever Temporal and the provider do', () => {
  // The shortest trace that was found, where there is one.
  expect(result.firstViolation?.trace).toBeUndefined();
  expect(result).toMatchObject({ violations: 0 });
  expect(result.lifecycles).toBeGreaterThanOrEqual(slice.lifecycles);
});

it('the same seed gives the same worlds, to the byte', async () => {
  const told = await hashOfWorlds(50);
  expect(await hashOfWorlds(50)).toBe(told);
});

/** In a build of its own, as another process has one: nothing that a former world has left can make it alike. */
async function hashOfWorlds(worlds: number): Promise<string> {
  const address = await buildSimulator('told');
  const { inWords, seedOf, simulateWorld } = (await import(address)) as typeof Simulator;
  const hash = createHash('sha256');
  for (let world = 0; world < worlds; world += 1)
    hash.update(inWords(await simulateWorld(seedOf(slice.seed, world), { isTold: true })));
  return hash.digest('hex');
}

it('a world shows a double execution when an attempt that was begun is sent again', async () => {
  const sentAgain = {
    file: 'apps/worker/src/steps/attempts/attempt-step.ts',
    find: "if (begin.kind === 'repeated') return await record.resume();",
    replace: `if (begin.kind === 'repeated') {
      await send(identity).catch(() => undefined);
      return await record.resume();
    }`,
  };
  const oracles = ['money moved twice', 'made twice'];
  const found = await runCampaign({ ...slice, patches: [sentAgain], oracles, stopsAtFirst: true });
  expect(found.firstViolation?.oracle).toMatch(/^(money moved|made) twice$/);
});
