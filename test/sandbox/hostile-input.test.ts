import * as fc from 'fast-check';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { forAllTests } from '../helpers/shared.js';
import { paymentBody, SandboxFixture } from './sandbox-fixture.js';

const JSON_BODY = { 'content-type': 'application/json' };

describe('hostile input', () => {
  const sandbox = forAllTests(() => SandboxFixture.start());

  const post = async (
    body: string | Uint8Array<ArrayBuffer>,
    headers: Record<string, string> = JSON_BODY,
  ) => {
    const response = await fetch(`${sandbox.url}/v1/payments/payment`, {
      method: 'POST',
      headers: { authorization: `Bearer ${await sandbox.newToken()}`, ...headers },
      body,
    });
    return { status: response.status, body: JSON.parse(await response.text()) };
  };

  it.each<[string, string | Uint8Array<ArrayBuffer>, number, string]>([
    ['half a JSON', '{"intent":', 400, 'MALFORMED_REQUEST'],
    ['no object', '"text"', 400, 'VALIDATION_ERROR'],
    ['invalid UTF-8', new Uint8Array([0x7b, 0xff, 0xfe, 0x7d]), 400, 'MALFORMED_REQUEST'],
    ['a NUL', JSON.stringify({ intent: 'a\0' }), 400, 'MALFORMED_REQUEST'],
    ['a lone surrogate', '{"intent":"\\ud800"}', 400, 'MALFORMED_REQUEST'],
    ['deep nesting', '['.repeat(50_000) + ']'.repeat(50_000), 400, 'MALFORMED_REQUEST'],
    ['a large body', JSON.stringify({ intent: 'x'.repeat(300_000) }), 413, 'REQUEST_TOO_LARGE'],
  ])('23: %s is refused in the documented shape', async (_, body, status, name) => {
    expect(await post(body)).toMatchObject({ status, body: { name, debug_id: expect.any(String) } });
  });

  it('23: a body that is not JSON by its type is refused', async () => {
    expect((await post('intent=sale', { 'content-type': 'application/x-www-form-urlencoded' })).status).toBe(
      415,
    );
    expect((await post('{}', { 'content-type': 'nonsense' })).status).toBe(415);
  });

  it('23: what is missing is called missing, also where only some words are allowed', async () => {
    const { body } = await post(JSON.stringify({ payer: {}, transactions: [{ amount: {} }] }));
    const issue = 'Required field is missing';
    const fields = ['intent', 'payer.payment_method', 'transactions[0].amount.total'];
    expect(body.details).toEqual(expect.arrayContaining(fields.map((field) => ({ field, issue }))));
  });

  it.each([
    '/v1/payments/payment/%00',
    '/v1/payments/payment/%ff',
    '/v1/payments/payment/..%2f',
    '/nothing',
    '/%',
  ])('the address %s is refused with a 4xx', async (path) => {
    const { status } = await sandbox.call('GET', path);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
  });

  it('bytes that are not HTTP at all do not stop the service', async () => {
    const { hostname, port } = new URL(sandbox.url);
    const socket = connect(Number(port), hostname);
    const closed = new Promise((resolve) => socket.on('close', resolve));
    socket.on('error', () => undefined);
    socket.end('\0\x01GARBAGE\r\n\r\n');
    socket.resume();
    await closed;
    expect((await sandbox.request('GET', '/healthz')).status).toBe(200);
  });

  const KEYS = Array.from({ length: 150 }, (_, index) => `"${index}":1`).join();
  it.each<[string, string, string]>([
    [
      '15,000 items of 150 unknown fields',
      '/v1/payments/payouts',
      `{"sender_batch_header":{},"items":[${Array.from({ length: 15_000 }, () => `{${KEYS}}`).join()}]}`,
    ],
    ['more items than allowed', '/v1/payments/payouts', `{"items":[${'1,'.repeat(2_000_000)}1]}`],
    ['a name of 1 MB', '/v1/payments/payouts', `{"${'😀'.repeat(250_000)}":1}`],
    [
      'unknown fields alone',
      '/v1/payments/payment',
      `{${Array.from({ length: 20_000 }, (_, index) => `"k${index}":1`).join()}}`,
    ],
    [
      'event types that are no objects',
      '/v1/notifications/webhooks',
      `{"url":"https://hooks.example/","event_types":[${'1,'.repeat(120_000)}1]}`,
    ],
  ])('a body with %s is refused in a few kilobytes', async (_, path, body) => {
    const answer = await sandbox.call('POST', path, body);
    expect(answer).toMatchObject({ status: 400, body: { name: 'VALIDATION_ERROR' } });
    expect(answer.body.details.length).toBeLessThanOrEqual(51);
    expect(JSON.stringify(answer.body).length).toBeLessThan(20_000);
  });

  it.each([1, 60])('%i unknown fields of an element of a list are named, and nothing else', async (count) => {
    const unknown = Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1]));
    const amount = { value: '1.00', currency: 'USD' };
    const items = [{ recipient_type: 'EMAIL', receiver: 'a@example.com', amount, ...unknown }];
    const answer = await sandbox.call('POST', '/v1/payments/payouts', { sender_batch_header: {}, items });
    expect(answer.status).toBe(400);
    expect(answer.body.details[0]).toEqual({ field: 'items[0].k0', issue: 'Unknown field' });
    expect(answer.body.details).toHaveLength(Math.min(count, 51));
  });

  it('what is wrong beyond the first 50 fields is counted', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`k${index}`, 1]));
    const { body } = await sandbox.call('POST', '/v1/payments/payment', { ...paymentBody(), ...unknown });
    expect(body.details).toHaveLength(51);
    expect(body.details[0]).toEqual({ field: 'k0', issue: 'Unknown field' });
    expect(body.details[50]).toEqual({ field: 'body', issue: 'At least 10 more fields are wrong' });
  });

  it('no mutation of a valid payment, and no random JSON, is answered with a 5xx', async () => {
    const token = await sandbox.newToken();
    const send = async (body: unknown) => {
      const { status } = await sandbox.request('POST', '/v1/payments/payment', body, {
        authorization: `Bearer ${token}`,
      });
      expect(status).toBeLessThan(500);
    };
    await fc.assert(fc.asyncProperty(fc.json({ maxDepth: 4 }), send), { numRuns: 300 });
    const leaves = leavesOf(paymentBody({ transaction: { payee: { email: 'a@example.com' }, custom: 'c' } }));
    const replacement = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.string({ unit: 'binary' }), fc.double());
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...leaves), replacement, (path, value) =>
        send(
          replaced(
            paymentBody({ transaction: { payee: { email: 'a@example.com' }, custom: 'c' } }),
            path,
            value,
          ),
        ),
      ),
      { numRuns: 500 },
    );
  });

  it('no random query is answered with a 5xx', async () => {
    const names = [
      'count',
      'start_id',
      'start_index',
      'start_time',
      'end_time',
      'payee_id',
      'sort_order',
      'transaction_id',
    ];
    const pairs = fc.array(fc.tuple(fc.constantFrom(...names), fc.string({ unit: 'grapheme' })), {
      maxLength: 4,
    });
    const paths = fc.constantFrom(
      '/v1/payments/payment',
      '/v1/notifications/webhooks-events',
      '/admin/books/movements',
    );
    await fc.assert(
      fc.asyncProperty(paths, pairs, async (path, query) => {
        const { status } = await sandbox.call('GET', `${path}?${new URLSearchParams(query).toString()}`);
        expect(status).toBeLessThan(500);
      }),
      { numRuns: 400 },
    );
  });
});

type Path = (string | number)[];

/** Paths of all values inside, containers included. */
function leavesOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const keys: (string | number)[] = Array.isArray(value)
    ? value.map((_, index) => index)
    : Object.keys(value);
  const inner = keys.flatMap((key) =>
    leavesOf((value as Record<string | number, unknown>)[key], [...path, key]),
  );
  return path.length === 0 ? inner : [path, ...inner];
}

function replaced(body: object, path: Path, value: unknown): object {
  let target = body as Record<string | number, unknown>;
  for (const step of path.slice(0, -1)) target = target[step] as Record<string | number, unknown>;
  target[path.at(-1)!] = value;
  return body;
}
