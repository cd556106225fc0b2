import type { LookupAddress } from 'node:dns';
import { lookup as systemLookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import { isInternalAddress, isInternalHost } from './internal-address.js';

/** All addresses of a host name; rejects if there are none. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

export interface AddressRule {
  /** Whether a host may have internal addresses; by default only one whose name is internal as well. */
  readonly mayBeInternal?: (hostname: string) => boolean;
  /** Another resolver of host names, for tests. */
  readonly resolve?: Resolve | undefined;
}

/** The code of the error when a connection is refused because it would lead inside. */
export const internalAddressCode = 'INTERNAL_ADDRESS';

/**
 * The DNS lookup of the connections to the provider, to its certificates and to receivers of notifications: the
 * addresses of a public host must all be public. Otherwise a person who controls the DNS answer could lead the engine
 * to an internal host. The lookup of the connection itself is checked, because an earlier one could be answered
 * differently.
 *
 * Numeric addresses connect without a lookup.
 */
export function checkedLookup({ mayBeInternal = isInternalHost, resolve }: AddressRule = {}): LookupFunction {
  const lookup = callbackify(async (hostname: string) => {
    const addresses = await resolveHost(hostname, resolve);
    if (!mayBeInternal(hostname) && addresses.some(({ address }) => isInternalAddress(address))) {
      throw Object.assign(new Error('a public host has an internal address'), { code: internalAddressCode });
    }
    return addresses;
  });
  return (hostname, options, callback) => {
    lookup(hostname, (error, addresses) => {
      // callbackify passes no addresses with an error.
      if (error) return callback(error, '', 0);
      const [first] = addresses;
      if (!first) return callback(new Error('the name has no address'), '', 0);
      if (options.all === true) return callback(null, [...addresses]);
      return callback(null, first.address, first.family);
    });
  };
}

export async function resolveHost(hostname: string, resolve?: Resolve): Promise<readonly LookupAddress[]> {
  return resolve ? await resolve(hostname) : await systemLookup(hostname, { all: true });
}
