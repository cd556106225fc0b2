import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Agent, request } from 'undici';
import { isInternalAddress, isInternalHost } from './internal-address.js';

/** Fetches the PEM text from a trusted address. Rejects if that fails. */
export type FetchCertificate = (address: string) => Promise<string>;

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 64 * 1024;

/** As `dns.lookup` with `all: true`. */
export type Resolve = (
  hostname: string,
  done: (error: Error | null, addresses: readonly LookupAddress[]) => void,
) => void;

/**
 * Fetches certificates from pinned origins, bounded in time and size, following no redirect, since that would leave the
 * pinned origin.
 *
 * An attacker who controls the DNS answer could direct our fetch to an internal host. So the addresses are checked in
 * the DNS lookup of the connection itself (an earlier lookup could be answered differently): a public host name must
 * have public addresses only. An origin that is configured as internal is allowed.
 *
 * @param resolve for tests
 */
export function certificateFetcher(resolve: Resolve = resolveBySystem): FetchCertificate {
  const dispatcher = new Agent({
    // Fetched once an hour, so no connection is kept open.
    pipelining: 0,
    connect: { rejectUnauthorized: true, timeout: TIMEOUT_MS, lookup: checkedLookup(resolve) },
  });
  return async (address) => {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const { statusCode, body } = await request(address, { dispatcher, signal });
    if (statusCode !== 200) {
      await body.dump({ limit: MAX_BYTES, signal });
      throw new Error(`certificate answered with ${statusCode}`);
    }
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      size += chunk.length;
      if (size > MAX_BYTES) throw new Error('certificate is too large');
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString('latin1');
  };
}

export const fetchCertificate: FetchCertificate = certificateFetcher();

/** Not called for numeric addresses: they connect without a lookup, and are pinned themselves. */
function checkedLookup(resolve: Resolve): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, (error, addresses) => {
      const [first] = addresses;
      if (error || !first) return callback(error ?? new Error('the name has no address'), '', 0);
      if (!isInternalHost(hostname) && addresses.some(({ address }) => isInternalAddress(address))) {
        return callback(new Error('the name of a public host has an internal address'), '', 0);
      }
      if (options.all === true) return callback(null, [...addresses]);
      return callback(null, first.address, first.family);
    });
  };
}

function resolveBySystem(...[hostname, done]: Parameters<Resolve>): void {
  systemLookup(hostname, { all: true }, (error, addresses) => done(error, error ? [] : addresses));
}
