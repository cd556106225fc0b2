import { expect, it } from 'vitest';
import { instantOf } from '#payments-client/schemas/received.js';

it.each([
  '2024-03-01T10:00:00Z',
  '2024-12-28T23:59:59.123456Z',
  '2024-02-29T00:00:00.5Z',
  '2024-03-31T10:00:00+02:00',
  'Fri, 01 Mar 2024 10:00:00 GMT',
])('%s is an instant', (text) => {
  expect(Date.parse(text)).not.toBeNaN();
  expect(instantOf(text)).toBe(text);
});

it.each([
  '2024-13-01T10:00:00Z',
  '2024-00-10T10:00:00Z',
  '2024-03-01T24:00:01Z',
  '2024-03-01T10:60:00Z',
  'soon',
  '',
  7,
  null,
])('%j is no instant', (value) => {
  expect(instantOf(value)).toBeUndefined();
});
