import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { forAllTests } from '../helpers/shared.js';
import { ApiFixture } from './api-fixture.js';
import { webhookAddress } from './deliveries.js';

const api = forAllTests(() => ApiFixture.start());

/** All that comes back for these bytes, until the connection ends. */
async function send(bytes: string): Promise<string> {
  const { port } = new URL(api.url);
  return await new Promise((resolve, reject) => {
    let received = '';
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(bytes));
    socket.setEncoding('utf8').on('data', (text: string) => (received += text));
    socket.on('close', () => resolve(received)).on('error', reject);
  });
}

const head = `POST ${webhookAddress} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n`;
const hidden = 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n';

describe('a message whose end can be read in two ways is refused, and no second request is found in it:', () => {
  test.each([
    [
      'a length beside chunks',
      `${head}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${hidden}`,
    ],
    ['two lengths', `${head}Content-Length: 2\r\nContent-Length: 40\r\n\r\n{}${hidden}`],
    ['another coding after chunks', `${head}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${hidden}`],
    ['a space before the colon', `${head}Content-Length : 2\r\n\r\n{}${hidden}`],
    ['a chunk of no length', `${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n${hidden}`],
  ])('%s', async (_case, bytes) => {
    const received = await send(bytes);
    expect(received.match(/HTTP\/1\.1 (\d+)/g)).toEqual(['HTTP/1.1 400']);
    expect(await api.db.selectFrom('webhook_events').selectAll().execute()).toEqual([]);
  });
});
