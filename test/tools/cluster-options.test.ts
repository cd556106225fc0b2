import { describe, expect, it } from 'vitest';
import { readClusterSize } from '#tools/cluster/options.js';

describe('the size of a cluster', () => {
  it('is two of each by default', () => {
    expect(readClusterSize([])).toEqual({ workers: 2, apis: 2 });
    expect(readClusterSize(['--workers', '4', '--apis=1'])).toEqual({ workers: 4, apis: 1 });
  });

  it.each([
    ['--workers', '0'],
    ['--workers', 'many'],
    ['--apis', '65'],
    ['--apis', '1.5'],
  ])('is refused as %s %s, naming the option', (option, value) => {
    expect(() => readClusterSize([option, value])).toThrow(new RegExp(`^${option} must be`));
  });

  it('shows the usage for anything else', () => {
    expect(() => readClusterSize(['--temporals', '2'])).toThrow('npm run cluster -- [--workers N]');
  });
});
