import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { ApiFixture } from './api-fixture.js';

const maxConnections = 3;

/** A connection on which one request was answered. @returns undefined if it was closed instead. */
async function served(port: number): Promise<Socket | undefined> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write('GET /healthz HTTP/1.1\r\nhost: api\r\n\r\n');
  const answer = await Promise.race([once(socket, 'data'), once(socket, 'close').then(() => undefined)]);
  return answer && socket;
}

test('more connections than allowed are closed at once; those that are open, and later ones, are served', async () => {
  const api = await ApiFixture.start({ maxConnections });
  const port = Number(new URL(api.url).port);
  const open: Socket[] = [];
  for (let nth = 0; nth < maxConnections; nth += 1) {
    const socket = await served(port);
    if (socket) open.push(socket);
  }
  expect(open).toHaveLength(maxConnections);
  expect(await served(port)).toBeUndefined();

  open[0]?.write('GET /healthz HTTP/1.1\r\nhost: api\r\n\r\n');
  const [again] = (await once(open[0]!, 'data')) as [Buffer];
  expect(again.toString()).toContain('HTTP/1.1 200');

  open.pop()?.destroy();
  await expect.poll(async () => (await served(port)) !== undefined).toBe(true);
  for (const socket of open) socket.destroy();
  await api.close();
});

test('headers of more than 16 KiB are refused before anything else is looked at', async () => {
  const api = await ApiFixture.start();
  const answer = await api.call('GET', '/v1/payments', { headers: { 'x-long': 'x'.repeat(20_000) } });
  expect(answer.status).toBe(431);
  expect(answer.body).toMatchObject({ code: 'headers_too_large' });
  await api.close();
});
