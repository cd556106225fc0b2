import { expect, test } from 'vitest';
import { forAllTests } from '../helpers/shared.js';
import { ApiFixture } from './api-fixture.js';

const api = forAllTests(() => ApiFixture.start());

const headersOf = async (path: string) => (await api.call('GET', path, { apiKey: null })).headers;
const script = /(?:^|;)script-src ([^;]*)/;

test.each([
  ['a page of the console', '/console/sign-in', "'self'"],
  ['the documentation', '/docs', "'self'"],
  ['an answer', '/v1/payments', undefined],
  ['an unknown address', '/nowhere', undefined],
  ['an address that cannot be read', '/v1/%zz', undefined],
])('%s may run only scripts that its policy names, and cannot be framed', async (_what, path, sources) => {
  const headers = await headersOf(path);
  const policy = headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(script.exec(policy)?.[1]).toBe(sources);
  expect(policy).not.toContain("script-src 'self' 'unsafe");
  expect(headers.get('x-frame-options')).toBe('DENY');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
});

test('the console allows no style in its pages, and keeps its window to itself', async () => {
  const headers = await headersOf('/console/sign-in');
  expect(headers.get('content-security-policy')).not.toContain('unsafe-inline');
  expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
});

test('a payer’s return does not cut the shop off from a window that it has opened', async () => {
  const headers = await headersOf('/v1/payments/pay_unknown/return?token=EC-1');
  expect(headers.get('cross-origin-opener-policy')).toBeNull();
});
