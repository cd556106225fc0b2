import { type Socket, connect } from 'node:net';
import { once } from 'node:events';
import type { Random } from '#proof/faults/random.js';

/** Openings of requests that never end, or are none. */
function opening(random: Random, path: string): Buffer {
  const head = `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n`;
  return Buffer.from(
    random.pick([
      `${head}Content-Length: 1000\r\n\r\n{"id"`,
      `${head}Content-Length: 99999999999\r\n\r\n{`,
      `${head}Transfer-Encoding: chunked\r\n\r\n5\r\n{"id"\r\n`,
      `${head}Transfer-Encoding: chunked\r\n\r\nffffffff\r\n{`,
      `${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n{`,
      `${head}Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n`,
      `${head}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}x`,
      `${head}Content-Length: -1\r\n\r\n{}`,
      `${head}X: \0\r\n\r\n`,
      `${head}X : y\r\n\r\n`,
      `${head}${'X: y\r\n'.repeat(5_000)}\r\n`,
      `${head}X: ${'y'.repeat(40_000)}\r\n\r\n`,
      `POST ${path}${'a'.repeat(70_000)} HTTP/1.1\r\n\r\n`,
      `POST ${path} HTTP/9.9\r\n\r\n`,
      `POST ${path}\r\n`,
      `POST  ${path} HTTP/1.1\r\n\r\n`,
      'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
      '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
      `${head}Expect: 100-continue\r\nContent-Length: 5\r\n\r\n`,
      '',
    ]),
    'latin1',
  );
}

/**
 * Opens connections that speak bad HTTP, or begin what they never end.
 *
 * @returns the status that each was answered with before it was cut off, or undefined for one that got no answer.
 */
export async function holdSlowSenders(
  random: Random,
  { port, path, count }: { port: number; path: string; count: number },
): Promise<(number | undefined)[]> {
  return await Promise.all(Array.from({ length: count }, () => send(port, opening(random, path))));
}

async function send(port: number, bytes: Buffer): Promise<number | undefined> {
  const socket: Socket = connect(port, '127.0.0.1');
  let received = '';
  socket.setEncoding('latin1').on('data', (text: string) => (received += text));
  socket.on('error', () => undefined);
  socket.write(bytes);
  await once(socket, 'close');
  const statuses = [...received.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));
  return statuses.findLast((status) => status !== 100);
}
