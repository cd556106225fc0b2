import type { LookupAddress } from 'node:dns';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { certificateFetcher } from '#payments-client/webhooks/fetch-certificate.js';
import { type Resolve, checkedLookup } from '#payments-client/addresses/checked-lookup.js';
import { isInternalAddress, isInternalHost } from '#payments-client/addresses/internal-address.js';

let server: Server;
let port: number;
let connections = 0;
beforeAll(async () => {
  server = createServer((_request, response) => response.end('PEM'));
  server.on('connection', () => (connections += 1));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  ({ port } = server.address() as AddressInfo);
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
});
beforeEach(() => {
  connections = 0;
});

const inside: LookupAddress = { address: '127.0.0.1', family: 4 };
const outside: LookupAddress = { address: '93.184.215.14', family: 4 };

const fetcher = (resolve: Resolve) => certificateFetcher(checkedLookup({ resolve }));

/** Case 24 of docs/failure-cases.md: refused, no packet sent. */
describe('the fetch of a certificate', () => {
  it.each([
    ['to an internal address', [inside]],
    ['to a public and an internal address', [outside, inside]],
    ['to the metadata service', [{ address: '169.254.169.254', family: 4 }]],
    ['to an internal address in the guise of IPv6', [{ address: '::ffff:127.0.0.1', family: 6 }]],
    ['nowhere', []],
  ])('from a public host whose name leads %s is refused, and nothing is sent', async (_where, addresses) => {
    let lookups = 0;
    const fetch = fetcher(async () => {
      lookups += 1;
      return await Promise.resolve(addresses);
    });
    await expect(fetch(`http://api.payments-provider.com:${port}/cert.pem`)).rejects.toThrow();
    expect([lookups, connections]).toEqual([1, 0]);
  });

  it('connects to the very address that was checked: the name is not looked up again', async () => {
    const answers = [[inside], [{ address: '127.0.0.2', family: 4 }]];
    const fetch = fetcher(async () => await Promise.resolve(answers.shift() ?? []));
    await expect(fetch(`http://sandbox:${port}/cert.pem`)).resolves.toBe('PEM');
    expect(answers).toHaveLength(1);
  });

  it.each(['127.0.0.1', 'localhost'])('from %s works where it is configured', async (host) => {
    const fetch = fetcher(async () => await Promise.resolve([inside]));
    await expect(fetch(`http://${host}:${port}/cert.pem`)).resolves.toBe('PEM');
  });

  it('over https refuses a certificate from an unknown authority', async () => {
    const fetch = fetcher(async () => await Promise.resolve([inside]));
    await expect(fetch(`https://localhost:${port}/cert.pem`)).rejects.toThrow();
  });
});

it.each([
  ['127.0.0.1', true],
  ['10.1.2.3', true],
  ['100.64.0.1', true],
  ['172.31.255.255', true],
  ['172.32.0.1', false],
  ['192.168.1.1', true],
  ['169.254.169.254', true],
  ['0.0.0.0', true],
  ['255.255.255.255', true],
  ['8.8.8.8', false],
  ['::1', true],
  ['::', true],
  ['::ffff:8.8.8.8', true],
  ['fe80::1', true],
  ['fd00::1', true],
  ['64:ff9b::a00:1', true],
  ['2002:a00:1::', true],
  ['2001:db8::1', true],
  ['2606:4700:4700::1111', false],
  ['not an address', true],
])('%s is an internal address: %s', (address, isInternal) => {
  expect(isInternalAddress(address)).toBe(isInternal);
});

it.each([
  ['sandbox', true],
  ['localhost', true],
  ['provider.internal', true],
  ['127.0.0.1', true],
  ['[::1]', true],
  ['api.payments-provider.com', false],
  ['localhost.payments-provider.com', false],
  ['api.payments-provider.com.', false],
])('%s is configured as internal: %s', (host, isInternal) => {
  expect(isInternalHost(host)).toBe(isInternal);
});
