import { expect, it } from 'vitest';
import { readOptions as readFaults } from '#proof/faults/campaign/options.js';
import { readOptions as readDrill } from '#proof/recovery/options.js';
import { readOptions as readReleases } from '#proof/releases/options.js';

it.each([
  ['faults', readFaults, '--lifecycles'],
  ['releases', readReleases, '--changes'],
  ['recover:drill', readDrill, '--runs'],
])(
  '%s names the option that is wrong, and shows the usage for one that it does not have',
  (name, read, option) => {
    for (const wrong of ['many', '0', '1.5', '-1', '10000000'])
      expect(() => read([`${option}=${wrong}`])).toThrow(new RegExp(`^${option} must be a whole number`));
    for (const unknown of [option.slice(0, -1), 'ten'])
      expect(() => read([unknown])).toThrow(`npm run ${name} -- [${option} N]`);
  },
);
