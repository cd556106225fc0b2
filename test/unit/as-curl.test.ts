import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { asCurl } from '#api/console/calls/as-curl.js';

const capture = {
  method: 'POST',
  path: '/v1/payments/authorization/AUTH-1/capture',
  request_headers: {
    'content-type': 'application/json',
    'PayPal-Request-Id': 'cap-1',
    'content-length': '9',
  },
  request: { note: "the buyer's; $(touch /tmp/owned) `id` \\" },
};

/** The arguments that a shell gives to curl. */
function argumentsIn(command: string): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }\n${command}`;
  const env = { ...process.env, ACCESS_TOKEN: 'token-1' };
  return execFileSync('sh', ['-c', script], { env, encoding: 'utf8' }).split('\0').slice(0, -1);
}

test('a shell sends the same call, and runs nothing that its body holds', () => {
  expect(argumentsIn(asCurl(capture, 'https://provider.example'))).toEqual([
    '-X',
    'POST',
    'https://provider.example/v1/payments/authorization/AUTH-1/capture',
    '-H',
    'Authorization: Bearer token-1',
    '-H',
    'content-type: application/json',
    '-H',
    'PayPal-Request-Id: cap-1',
    '--data',
    JSON.stringify(capture.request),
  ]);
});

test('a call that can act again says so, a read does not', () => {
  const read = { method: 'GET', path: '/v1/payments/payment/PAY-1', request_headers: null, request: null };
  expect(asCurl(capture, undefined)).toMatch(/^# If you send it, the provider acts again/);
  expect(argumentsIn(asCurl(read, 'http://127.0.0.1:4000'))).toEqual([
    'http://127.0.0.1:4000/v1/payments/payment/PAY-1',
    '-H',
    'Authorization: Bearer token-1',
  ]);
  expect(asCurl(read, undefined)).not.toContain('#');
});
