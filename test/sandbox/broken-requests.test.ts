import { connect } from 'node:net';
import { pino } from 'pino';
import { afterAll, describe, expect, it } from 'vitest';
import { createServer } from '#sandbox/server/server.js';
import { forAllTests } from '../helpers/shared.js';
import { SandboxFixture } from './sandbox-fixture.js';

describe('an invalid HTTP request', () => {
  const sandbox = forAllTests(() => SandboxFixture.start());

  it.each<[string, string, number, string]>([
    [
      'headers of 20 KB',
      `GET /healthz HTTP/1.1\r\nHost: a\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`,
      431,
      'REQUEST_TOO_LARGE',
    ],
    ['garbage', 'GARBAGE\r\n\r\n', 400, 'MALFORMED_REQUEST'],
    [
      'two lengths',
      'POST /v1/oauth2/token HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\nabcd',
      400,
      'MALFORMED_REQUEST',
    ],
    [
      'an expectation that nobody knows',
      'POST /v1/oauth2/token HTTP/1.1\r\nHost: a\r\nExpect: nonsense\r\nContent-Length: 0\r\n\r\n',
      417,
      'VALIDATION_ERROR',
    ],
  ])('is refused in the documented shape: %s', async (_, bytes, status, name) => {
    const answer = await exchange(sandbox.url, bytes);
    expect(answer.status).toBe(status);
    expect(answer.body).toEqual({
      name,
      message: expect.any(String),
      debug_id: answer.headers['paypal-debug-id'],
      information_link: expect.any(String),
      details: [{ field: expect.any(String), issue: expect.any(String) }],
    });
    expect(answer.headers['connection']).toBe('close');
    expect((await sandbox.request('GET', '/healthz')).status).toBe(200);
  });
});

describe('a body that comes too slowly', () => {
  const app = createServer({ logger: pino({ level: 'silent' }) }, 200);
  afterAll(() => app.close());

  it('is answered 408 in the documented shape', async () => {
    app.post('/', () => 'arrived');
    const url = await app.listen({ port: 0, host: '127.0.0.1' });
    const head =
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n';
    const { status, headers, body } = await exchange(url, `${head}{`);
    expect({ status, body }).toMatchObject({
      status: 408,
      body: { name: 'VALIDATION_ERROR', debug_id: headers['paypal-debug-id'] },
    });
  });
});

/** Writes the bytes on a connection and reads until the other side closes it. */
async function exchange(url: string, bytes: string) {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let text = '';
  socket.setEncoding('utf8').on('data', (part: string) => (text += part));
  socket.on('error', () => undefined);
  socket.write(bytes);
  await new Promise((resolve) => socket.on('close', resolve));
  const [head = '', body = ''] = text.split('\r\n\r\n', 2);
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
  );
  return { status: Number(statusLine.split(' ')[1]), headers, body: JSON.parse(body) as object };
}
