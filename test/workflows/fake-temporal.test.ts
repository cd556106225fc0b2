import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildSimulator } from '#proof/simulator/build.js';
import { againIfPaused } from '../helpers/again-if-paused.js';
import { sized } from '../helpers/sized.js';
import { drawScenario } from './probe/draw-scenario.js';
import { type RealTemporal, openRealTemporal } from './probe/real-server.js';
import type { Reported } from './probe/scenario.js';

/**
 * The simulator is worth what its fake of Temporal is worth: scenarios drawn from seeds are told to the fake and to the real
 * server, with the same workflow code, and must be lived alike.
 */
type Fake = typeof import('./probe/simulated-server.js');
let fake: Fake;
let real: RealTemporal;
beforeAll(async () => {
  fake = (await import(
    await buildSimulator('probe', [], 'test/workflows/probe/simulated-server.ts')
  )) as Fake;
  real = await openRealTemporal();
});
afterAll(async () => await real.close());

/** The first ones have shown differences. */
const scenarios = [5, 11, 20, 2, 1, 3, 4, 9, 12, 16, 23, 30, 35];
/** Of other scenarios. */
const seeds = (process.env['PROBE_SEEDS'] ?? '').split(',').filter(Boolean).map(Number);

describe('the simulated Temporal', () => {
  it.each(seeds.length > 0 ? seeds : scenarios.slice(0, sized(2, scenarios.length)))(
    'runs scenario %i as the real server does',
    async (seed) => {
      const scenario = drawScenario(seed);
      const imagined = await fake.tellFake(seed, scenario);
      await againIfPaused(1_000, async () => {
        const reported: Reported = await real.tell(scenario);
        expect(imagined, JSON.stringify(scenario)).toEqual(reported);
      });
    },
  );
});
