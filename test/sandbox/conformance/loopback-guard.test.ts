import https from 'node:https';
import { createServer, connect, type AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LoopbackGuard } from './loopback-guard.js';

/** Of the block that is set aside for documentation: nobody is there. */
const ELSEWHERE = '192.0.2.1';

describe('the guard of the conformance tests', () => {
  let guard: LoopbackGuard;
  beforeEach(() => {
    guard = new LoopbackGuard();
  });
  afterEach(() => guard.lift());

  it('lets a connection to this machine pass, and notes it', async () => {
    const server = createServer((socket) => socket.end('here')).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const heard = await new Promise((resolve) => connect(port, '127.0.0.1').once('data', resolve));
    expect(String(heard)).toBe('here');
    expect([...guard.reached]).toEqual(['127.0.0.1']);
    expect(guard.prevented).toEqual([]);
    server.close();
  });

  it('prevents and notes a connection to anywhere else, by any way of making it', async () => {
    expect(() => connect(80, ELSEWHERE)).toThrow('prevents');
    await expect(fetch(`http://${ELSEWHERE}/`)).rejects.toThrow();
    await expect(fetch('http://api.sandbox.example/')).rejects.toThrow();
    const secure = new Promise((_, reject) => https.get(`https://${ELSEWHERE}/`).on('error', reject));
    await expect(secure).rejects.toThrow('prevents');
    expect(guard.prevented.length).toBeGreaterThanOrEqual(4);
  });
});
