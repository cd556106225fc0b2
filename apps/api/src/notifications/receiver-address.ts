import { lookup as systemLookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import { isInternalAddress, isInternalHost } from '#payments-client/webhooks';
import type { NotificationSettings } from '../injected/api-config.js';

type Settings = Pick<NotificationSettings, 'allowsAnyAddress' | 'resolve'>;

const internal = 'must be on the public internet: it leads to an internal address';

/** Why nothing may be sent to an address, at its registration; undefined if it may. */
export async function addressProblem(address: string, settings: Settings): Promise<string | undefined> {
  const { hostname, protocol } = new URL(address);
  if (settings.allowsAnyAddress) return undefined;
  if (protocol !== 'https:') return 'must be an https address';
  if (isInternalName(hostname)) return internal;
  try {
    const addresses = await resolve(bare(hostname), settings);
    return addresses.some((each) => isInternalAddress(each.address)) ? internal : undefined;
  } catch {
    return 'cannot be resolved: its host has no address';
  }
}

/** A host in figures connects without a lookup, so it is checked before each attempt, too. */
export function isForbiddenHost(address: string, { allowsAnyAddress }: Settings): boolean {
  return allowsAnyAddress !== true && isInternalName(new URL(address).hostname);
}

/** The lookup of the very connection: a changed DNS answer must not lead inside. */
export function checkedLookup(settings: Settings): LookupFunction {
  const find = async (hostname: string) => {
    const addresses = await resolve(hostname, settings).catch(() => []);
    if (addresses.length === 0) throw new Error('its host cannot be resolved');
    if (!settings.allowsAnyAddress && addresses.some(({ address }) => isInternalAddress(address)))
      throw new Error('it leads to an internal address');
    return [...addresses];
  };
  const lookup = callbackify(find);
  return (hostname, options, callback) => {
    lookup(hostname, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error || !first) return callback(error, '', 0);
      if (options.all === true) return callback(null, addresses);
      return callback(null, first.address, first.family);
    });
  };
}

function isInternalName(hostname: string): boolean {
  const host = bare(hostname);
  return isIP(host) === 0 ? isInternalHost(host) : isInternalAddress(host);
}

/** Without the brackets of an IPv6 address. */
function bare(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '');
}

async function resolve(hostname: string, { resolve: other }: Settings) {
  return other ? await other(hostname) : await systemLookup(hostname, { all: true });
}
