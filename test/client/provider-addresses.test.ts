import type { LookupAddress } from 'node:dns';
import { type Server, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PaymentsClient } from '#payments-client';
import type { AddressRule } from '#payments-client/addresses';

let server: Server;
let port: number;
let connections = 0;
beforeAll(async () => {
  server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  ({ port } = server.address() as AddressInfo);
});
afterAll(async () => {
  await new Promise((closed) => server.close(closed));
});
beforeEach(() => {
  connections = 0;
});

const inside: LookupAddress = { address: '127.0.0.1', family: 4 };
const outside: LookupAddress = { address: '93.184.215.14', family: 4 };

/** @returns what a call to the host ended in, and how often its name was looked up. */
async function call(host: string, addresses: readonly LookupAddress[], rule: AddressRule = {}) {
  let lookups = 0;
  const resolve = async () => {
    lookups += 1;
    return await Promise.resolve(addresses);
  };
  const client = new PaymentsClient({
    baseUrl: `http://${host}:${port}`,
    clientId: 'shop',
    clientSecret: 'planted-secret',
    retry: { maxAttempts: 1 },
    addressRule: { ...rule, resolve },
  });
  const error: unknown = await client.payments.get('PAY-1').catch((reason: unknown) => reason);
  await client.close();
  return { error, lookups };
}

/** Case 24 of docs/failure-cases.md: no credential leaves for an internal host that a DNS answer names. */
describe('a call to the provider', () => {
  it.each([
    ['to an internal address', [inside]],
    ['to a public and an internal address', [outside, inside]],
    ['to the metadata service', [{ address: '169.254.169.254', family: 4 }]],
    ['to an internal address in the guise of IPv6', [{ address: '::ffff:127.0.0.1', family: 6 }]],
  ])('by a public name that leads %s is not connected, and is proved unsent', async (_where, addresses) => {
    const { error, lookups } = await call('api.payments-provider.com', addresses);
    expect(error).toMatchObject({ name: 'UnavailableError', code: 'INTERNAL_ADDRESS' });
    expect([lookups, connections]).toEqual([1, 0]);
  });

  it('by an internal name connects inside: it is configured so', async () => {
    await call('sandbox', [inside]);
    expect(connections).toBeGreaterThan(0);
  });

  it('by a public name connects inside where the configuration says that a gateway is there', async () => {
    await call('api.payments-provider.com', [inside], { mayBeInternal: () => true });
    expect(connections).toBeGreaterThan(0);
  });
});
