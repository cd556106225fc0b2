import { expect, it } from 'vitest';
import { olderAddress } from '#api/console/html/filters.js';

it('the address of older rows keeps the filter, and does not tell again what a form has done', () => {
  const address = olderAddress('/console/endpoints/we_1', { state: 'failed', done: '3' }, 7);
  const { pathname, searchParams } = new URL(address, 'http://127.0.0.1');
  expect([pathname, ...searchParams.keys()]).toEqual(['/console/endpoints/we_1', 'state', 'cursor']);
});
