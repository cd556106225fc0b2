import { createServer, type Server } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { Failure } from '#tools/failure.js';
import { ensurePortsAreFree, freePort, parsePort, type PortUse } from '#tools/ports.js';

describe('ports', () => {
  const servers: Server[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) server.close();
  });

  async function taken(): Promise<number> {
    const server = createServer();
    servers.push(server);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return (server.address() as AddressInfo).port;
  }

  it('are reported in one sentence when taken, with their user and a free one instead', async () => {
    const port = await taken();
    const failure = await failureOf([{ port, what: 'The API', variable: 'PORT' }]);
    expect(failure).toBeInstanceOf(Failure);
    const [, sentence, instead] = /^(.+): PORT=(\d+)$/.exec(failure?.message ?? '') ?? [];
    expect(sentence).toBe(
      `The API needs port ${port}, which another program uses: stop that program, or choose another port`,
    );
    expect(await failureOf([{ port: Number(instead), what: 'The API', variable: 'PORT' }])).toBeUndefined();
  });

  it('are all named at once when several are taken, each with another free one instead', async () => {
    const [one, other, free] = [await taken(), await taken(), await freePort()];
    const failure = await failureOf([
      { port: one, what: 'The API', variable: 'PORT' },
      { port: free, what: 'The worker', variable: 'HEALTH_PORT' },
      { port: other, what: 'Temporal', variable: 'TEMPORAL_PORT' },
    ]);
    const [, sentence, ...instead] =
      /^(.+): PORT=(\d+) TEMPORAL_PORT=(\d+)$/.exec(failure?.message ?? '') ?? [];
    expect(sentence).toBe(`Other programs use the ports ${one}, ${other}: stop them, or choose others`);
    expect(new Set(instead).size).toBe(2);
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

async function failureOf(uses: readonly PortUse[]): Promise<Error | undefined> {
  return await ensurePortsAreFree(uses).then(
    () => undefined,
    (error: Error) => error,
  );
}
