import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createEngineDatabase } from '../helpers/database.js';
import { forAllTests } from '../helpers/shared.js';
import { until } from '../helpers/until.js';
import { ApiProcess } from './api-process.js';

let api: ApiProcess;
const database = forAllTests(createEngineDatabase);
beforeAll(async () => {
  const application = {
    environment: 'sandbox',
    application: 'shop',
    baseUrl: 'http://127.0.0.1:9',
    clientId: 'id',
    clientSecret: 'secret',
    webhookSecret: 'x'.repeat(24),
    webhookAuthentication: 'signature',
  } as const;
  api = await ApiProcess.start({ databaseUrl: database.url, applications: [application] });
});
afterAll(async () => {
  await api.close();
});

test('a caller who disconnects before the request is complete does not count as an outage', async () => {
  const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
  await once(socket, 'connect');
  const head = ['POST /webhooks/sandbox/shop/any HTTP/1.1', 'host: api', 'content-type: application/json'];
  socket.write([...head, 'content-length: 1000', 'expect: 100-continue', '', ''].join('\r\n'));
  // The API waits for the body now.
  await once(socket, 'data');
  socket.write('{"id":');
  const closed = once(socket, 'close');
  socket.resetAndDestroy();
  await closed;
  // What is asked after it is logged after it.
  await fetch(`${api.url}/webhooks/sandbox/shop/any`, { method: 'POST', body: '{}' });
  const lines = await until(
    async () => linesOf(api.log()).filter(({ route }) => String(route).startsWith('/webhooks/')),
    (found) => found.some(({ status }) => status === 404),
    'the request to be logged',
  );
  expect(lines.filter(({ status, msg }) => status === 503 || msg === 'unavailable')).toEqual([]);
});

interface Line {
  readonly route?: unknown;
  readonly status?: number;
  readonly msg?: string;
}

function linesOf(log: string): Line[] {
  return log
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
    .map((line) => JSON.parse(line) as Line);
}
