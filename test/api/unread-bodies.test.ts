import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { forAllTests } from '../helpers/shared.js';
import { ApiFixture, temporalUi, webhookSecret } from './api-fixture.js';

const api = forAllTests(() => ApiFixture.start());

/** Sends headers and the beginning of a body. The rest never comes: only who does not wait for it answers. */
async function begin(line: string, headers: readonly string[], begun: string): Promise<string> {
  const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
  await once(socket, 'connect');
  socket.write([`${line} HTTP/1.1`, 'host: api', ...headers, '', begun].join('\r\n'));
  const parts: Buffer[] = [];
  for await (const part of socket) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}

const beginning = `{"a":"${'x'.repeat(4_000)}`;

describe('case 23: a caller who may not ask is answered before the body is read, and the connection ends:', () => {
  const wrongKey = 'authorization: Bearer wrong';
  test.each([
    ['an order with a wrong key', 'POST /v1/payments', wrongKey, 401],
    ['an order without a key', 'POST /v1/payments', 'accept: */*', 401],
    ['a payout with a wrong key', 'POST /v1/payouts', wrongKey, 401],
    ['a command with a wrong key', 'POST /v1/payments/pay_1/captures', wrongKey, 401],
    ['a deletion with a wrong key', 'DELETE /v1/codec-sessions/cs_1', wrongKey, 401],
    ['a delivery to a wrong secret', `POST /webhooks/sandbox/shop/${webhookSecret}0`, 'accept: */*', 404],
    [
      'a delivery to another application',
      `POST /webhooks/sandbox/bookshop/${webhookSecret}`,
      'accept: */*',
      404,
    ],
    [
      'a history to decrypt, with an API key',
      'POST /codec/decode',
      `authorization: ${ApiFixture.shopKey}`,
      401,
    ],
    [
      'a history to decrypt, from a page without a session',
      'POST /codec/decode',
      `origin: ${temporalUi}`,
      401,
    ],
    ['a request to an unknown address', 'POST /v1/unknown', 'accept: */*', 404],
    ['a question whether a page may call', 'OPTIONS /codec/decode', `origin: ${temporalUi}`, 413],
  ])('%s', async (_what, line, header, status) => {
    const headers = [header, 'content-type: application/json', 'content-length: 60000'];
    const answer = await begin(line, headers, beginning);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer.toLowerCase()).toContain('connection: close');
  });

  test.each([
    ['of eight megabytes', 'content-length: 8000000', beginning],
    ['in pieces', 'transfer-encoding: chunked', '1\r\n{\r\n'],
  ])('a payout %s with a wrong key', async (_form, framing, begun) => {
    const answer = await begin('POST /v1/payouts', [wrongKey, framing], begun);
    expect(answer).toMatch(/^HTTP\/1\.1 401 /);
    expect(answer.toLowerCase()).toContain('www-authenticate: bearer');
  });
});

test('a page of Temporal’s UI is answered why its history is not read', async () => {
  const headers = [`origin: ${temporalUi}`, 'content-length: 60000'];
  const answer = await begin('POST /codec/decode', headers, beginning);
  expect(answer.toLowerCase()).toContain(`access-control-allow-origin: ${temporalUi}`);
});
