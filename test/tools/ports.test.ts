import { createServer } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { Failure } from '#tools/failure.js';
import { ensurePortIsFree, freePort, parsePort } from '#tools/ports.js';

describe('ports', () => {
  const server = createServer();
  afterEach(() => new Promise((resolve) => server.close(resolve)));

  it('are reported in one sentence when taken, with their user and how to choose another', async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    await expect(ensurePortIsFree({ port, what: 'The API', variable: 'PORT' })).rejects.toThrow(
      new Failure(
        `The API needs port ${port}, which another program uses: stop that program, or choose another port with PORT=<port>.`,
      ),
    );
  });

  it('are never handed out twice', async () => {
    const ports = await Promise.all(Array.from({ length: 50 }, () => freePort()));
    expect(new Set(ports).size).toBe(50);
  });

  it.each(['0', '65536', '-1', '80a', '4e3', '1.5'])('refuse %s, naming the variable', (text) => {
    expect(() => parsePort(text, 'SANDBOX_PORT', 4000)).toThrow(/^SANDBOX_PORT must be a port/);
  });

  it('have the default when the variable is unset or empty', () => {
    expect([
      parsePort(undefined, 'PORT', 3000),
      parsePort('', 'PORT', 3000),
      parsePort('81', 'PORT', 3000),
    ]).toEqual([3000, 3000, 81]);
  });
});
