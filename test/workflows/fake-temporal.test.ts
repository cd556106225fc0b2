import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildSimulator } from '#proof/simulator/build.js';
import { sized } from '../helpers/sized.js';
import { drawStory } from './probe/draw-story.js';
import { type RealTemporal, openRealTemporal } from './probe/real-stand.js';
import type { Told } from './probe/story.js';

/**
 * The simulator is worth what its fake of Temporal is worth: stories drawn from seeds are told to the fake and to the real
 * server, with the same workflow code, and must be lived alike.
 */
type Fake = typeof import('./probe/fake-stand.js');
let fake: Fake;
let real: RealTemporal;
beforeAll(async () => {
  fake = (await import(await buildSimulator('probe', [], 'test/workflows/probe/fake-stand.ts'))) as Fake;
  real = await openRealTemporal();
});
afterAll(async () => await real.close());

/** The first ones have shown differences. */
const stories = [5, 11, 20, 2, 1, 3, 4, 9, 12, 16, 23, 30, 35];
/** Of other stories. */
const seeds = (process.env['PROBE_SEEDS'] ?? '').split(',').filter(Boolean).map(Number);

describe('the simulated Temporal', () => {
  it.each(seeds.length > 0 ? seeds : stories.slice(0, sized(2, stories.length)))(
    'lives story %i as the real server does',
    async (seed) => {
      const story = drawStory(seed);
      const told: Told = await real.tell(story);
      expect(await fake.tellFake(seed, story), JSON.stringify(story)).toEqual(told);
    },
  );
});
