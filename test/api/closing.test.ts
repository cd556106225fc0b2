import { once } from 'node:events';
import { type Socket, connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ApiFixture } from './api-fixture.js';

/** A request may take so long here that a close which waits for one outlasts the test. */
const requestTimeoutMs = 300_000;
const limitMs = 250_000;

describe('an API process that is asked to stop', () => {
  let api: ApiFixture;
  let socket: Socket;
  beforeEach(async () => {
    api = await ApiFixture.start({ requestTimeoutMs });
    socket = connect(Number(new URL(api.url).port), '127.0.0.1');
    socket.on('error', () => {});
    socket.resume();
    await once(socket, 'connect');
    // The server has taken the connection as soon as it answers on a later one.
    await api.call('GET', '/healthz');
  });
  afterEach(() => socket.destroy());

  it(
    'does not wait for a connection without a request',
    async () => {
      const end = once(socket, 'close');
      await api.close();
      await end;
    },
    limitMs,
  );

  it(
    'does not wait for a request whose body never ends',
    async () => {
      socket.write('POST /v1/payments HTTP/1.1\r\nhost: api\r\ncontent-length: 100\r\n\r\n{');
      await api.call('GET', '/healthz');
      const end = once(socket, 'close');
      await api.close();
      await end;
    },
    limitMs,
  );

  it('answers a request that waits', async () => {
    const { body } = await api.order();
    const path = `/v1/payments/${String(body['id'])}?wait=60&since=${String(body['version'])}`;
    const waiting = api.call('GET', path);
    await api.call('GET', '/healthz');
    await api.close();
    expect((await waiting).status).toBe(200);
    // Far less than the poll.
  }, 55_000);
});
