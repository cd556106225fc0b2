import { expect, it } from 'vitest';
import { choosesProjects, chosenOf, widenedToAreas } from '#tools/test-filters.js';

it('an area of tests includes the pure core of its lifecycle', () => {
  expect(widenedToAreas(['payments'])).toEqual(['payments', '/payment/']);
  expect(widenedToAreas(['refunds', 'payouts'])).toEqual(['refunds', 'payouts', '/refund/', '/payout/']);
});

it('a path, an option and its value stay unchanged', () => {
  expect(widenedToAreas(['test/api/payments.test.ts'])).toEqual(['test/api/payments.test.ts']);
  expect(widenedToAreas(['client', '-t', 'refunds'])).toEqual(['client', '-t', 'refunds']);
  expect(widenedToAreas([])).toEqual([]);
});

it('a named project is the only choice', () => {
  expect(choosesProjects(['--project', 'unit'])).toBe(true);
  expect(choosesProjects(['--project=unit'])).toBe(true);
  expect(choosesProjects(['projects', '-t', 'project'])).toBe(false);
});

it('the long tests that a word names are run, or all of them without a word', () => {
  const files = ['test/api/webhook-fuzz.test.ts', 'test/database/simulated-rows.test.ts'];
  expect(chosenOf(files, ['simulated', '-t', 'rows'])).toEqual([
    'test/database/simulated-rows.test.ts',
    '-t',
    'rows',
  ]);
  expect(chosenOf(files, ['--bail=1'])).toEqual([...files, '--bail=1']);
  expect(chosenOf(files, ['payouts'])).toEqual([]);
});
