import { describe, expect, it } from 'vitest';
import { campaignLifecycles } from '#proof/faults/campaign/campaign-lifecycles.js';
import { readOptions } from '#proof/faults/campaign/options.js';
import { readOptions as readDrillOptions } from '#proof/recovery/options.js';
import { readOptions as readReleasesOptions } from '#proof/releases/options.js';

function played(...args: string[]): string[] {
  return readOptions(args).mix.map(({ name }) => name);
}

it('drill and releases are on the production server when it is asked for', () => {
  for (const read of [readDrillOptions, readReleasesOptions]) {
    expect(read([]).temporal).toBe('development');
    expect(read(['--cluster']).temporal).toBe('production');
  }
});

describe('the options of a campaign', () => {
  it('draw a seed where none is given', () => {
    expect(readOptions(['--lifecycles', '200']).seed).not.toBe(readOptions(['--lifecycles', '200']).seed);
    expect(readOptions(['--seed', 'mine', '--lifecycles', '200'])).toMatchObject({
      seed: 'mine',
      lifecycles: 200,
    });
  });

  it('run holds by default, and every lifecycle when all are asked for', () => {
    expect(played()).toEqual(['authorize']);
    expect(played('--mix', 'partial-capture,authorize')).toEqual(['partial-capture', 'authorize']);
    expect(played('--mix', 'all')).toEqual(campaignLifecycles.map(({ name }) => name));
    expect(() => readOptions(['--mix', 'authorise'])).toThrow(/--mix must be "all" or some of authorize, /);
  });
});
