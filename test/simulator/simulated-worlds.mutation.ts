import { expect, it } from 'vitest';
import { buildSimulator } from '#proof/simulator/build.js';
import type * as Simulator from '#proof/simulator/stage/entry.js';

/*
 * For Stryker only (vitest.mutation.config.ts): the steps of apps/worker, with the rows that they write. Many small
 * tests, because the first that fails ends the trial of a mutant, and only what runs within a test runs the mutant.
 */
const campaign = 20_260;
const [chunks, worldsEach] = [24, 25];
const { seedOf, simulateWorld } = (await import(await buildSimulator('mutation'))) as typeof Simulator;

it.each(Array.from({ length: chunks }, (_, chunk) => chunk * worldsEach))(
  'no promise is broken in the worlds from number %i on',
  async (first) => {
    for (let world = first; world < first + worldsEach; world += 1) {
      const { violations } = await simulateWorld(seedOf(campaign, world));
      expect(violations).toEqual([]);
    }
  },
);
