import { isIP, type LookupFunction } from 'node:net';
import { checkedLookup, isInternalAddress, isInternalHost, resolveHost } from '#payments-client/addresses';
import type { NotificationSettings } from '../injected/api-config.js';
import { unavailable } from '../problems/problem.js';

type Settings = Pick<NotificationSettings, 'allowsAnyAddress' | 'resolve'>;

const internal = 'must be on the public internet: it leads to an internal address';

/**
 * Why nothing may be sent to an address, at its registration; undefined if it may.
 *
 * @throws {Problem} 503 while nobody can say where its host is: that is no fault of the address.
 */
export async function addressProblem(address: string, settings: Settings): Promise<string | undefined> {
  const { hostname, protocol } = new URL(address);
  if (settings.allowsAnyAddress) return undefined;
  if (protocol !== 'https:') return 'must be an https address';
  if (isInternalName(hostname)) return internal;
  try {
    const addresses = await resolveHost(bare(hostname), settings.resolve);
    return addresses.some((each) => isInternalAddress(each.address)) ? internal : undefined;
  } catch (error) {
    if ((error as { readonly code?: unknown }).code === 'EAI_AGAIN')
      throw unavailable('The host of the address cannot be resolved now.');
    return 'cannot be resolved: its host has no address';
  }
}

/** A host in figures connects without a lookup, so it is checked before each attempt, too. */
export function isForbiddenHost(address: string, { allowsAnyAddress }: Settings): boolean {
  return allowsAnyAddress !== true && isInternalName(new URL(address).hostname);
}

/** No name of a receiver may lead inside, not even an internal one: order services choose the addresses. */
export function receiverLookup({ allowsAnyAddress = false, resolve }: Settings): LookupFunction {
  return checkedLookup({ mayBeInternal: () => allowsAnyAddress, resolve });
}

function isInternalName(hostname: string): boolean {
  const host = bare(hostname);
  return isIP(host) === 0 ? isInternalHost(host) : isInternalAddress(host);
}

/** Without the brackets of an IPv6 address. */
function bare(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '');
}
