import { createHash, randomBytes } from 'node:crypto';
import { type Socket, connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '#database/connection';
import { createEngineDatabase } from '../helpers/database.js';
import { configuration } from './api-fixture.js';
import { ApiProcess } from './api-process.js';
import { keepLongEvents } from './long-events.js';

const key = randomBytes(24).toString('hex');
const listeners = 60;

test('listeners that stop taking events hold hardly any memory of the API', async () => {
  const database = await createEngineDatabase();
  const db = openDatabase(database.url, { poolSize: 3 });
  const sha256 = createHash('sha256').update(key).digest('hex');
  const api = await ApiProcess.start({
    databaseUrl: database.url,
    applications: configuration('').applications.slice(0, 1),
    env: { API_KEYS: JSON.stringify([{ id: 'k', sha256, environment: 'sandbox', application: 'shop' }]) },
  });
  const sockets: Socket[] = [];
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await api.close();
    await db.destroy();
    await database.drop();
  });
  await keepLongEvents(db, 40);
  const before = api.residentBytes();
  for (let n = 0; n < listeners; n += 1) sockets.push(await takeOneEvent(api.url));
  // With the events that each was about to be sent it was 440 MiB.
  expect(api.residentBytes() - before).toBeLessThan(200 * 2 ** 20);
});

/** Listens from the beginning, and takes nothing any more once an event has begun to come. */
async function takeOneEvent(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.write(
    `GET /v1/events HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${key}\r\nlast-event-id: 1-1\r\n\r\n`,
  );
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject).on('data', (bytes) => {
      if (!bytes.includes('event: ')) return;
      socket.pause();
      resolve();
    });
  });
  return socket;
}
