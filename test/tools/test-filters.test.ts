import { expect, it } from 'vitest';
import { choosesProjects, widenedToAreas } from '#tools/test-filters.js';

it('an area of tests has the pure core of its lifecycle with it', () => {
  expect(widenedToAreas(['payments'])).toEqual(['payments', '/payment/']);
  expect(widenedToAreas(['refunds', 'payouts'])).toEqual(['refunds', 'payouts', '/refund/', '/payout/']);
});

it('a path, an option and its value stay as they are', () => {
  expect(widenedToAreas(['test/api/payments.test.ts'])).toEqual(['test/api/payments.test.ts']);
  expect(widenedToAreas(['client', '-t', 'refunds'])).toEqual(['client', '-t', 'refunds']);
  expect(widenedToAreas([])).toEqual([]);
});

it('whoever names a project has chosen', () => {
  expect(choosesProjects(['--project', 'unit'])).toBe(true);
  expect(choosesProjects(['--project=unit'])).toBe(true);
  expect(choosesProjects(['projects', '-t', 'project'])).toBe(false);
});
