import type { LookupFunction } from 'node:net';
import { Agent, request } from 'undici';
import { checkedLookup } from '../addresses/index.js';

/** Fetches the PEM text from a trusted address. Rejects if that fails. */
export type FetchCertificate = (address: string) => Promise<string>;

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 64 * 1024;

/**
 * Fetches certificates from pinned origins, bounded in time and size, following no redirect, since that would leave the
 * pinned origin.
 *
 * @param lookup the DNS lookup of its connections; numeric addresses need none, and are pinned themselves
 */
export function certificateFetcher(lookup: LookupFunction = checkedLookup()): FetchCertificate {
  const dispatcher = new Agent({
    // Fetched once an hour, so no connection is kept open.
    pipelining: 0,
    connect: { rejectUnauthorized: true, timeout: TIMEOUT_MS, lookup },
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
