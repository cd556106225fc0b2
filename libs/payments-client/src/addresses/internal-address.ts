import { BlockList, isIP, isIPv4 } from 'node:net';

/** Special-purpose IPv4 ranges (RFC 6890 and its registry): none of them is a host on the public internet. */
const internalV4: readonly (readonly [network: string, prefix: number])[] = [
  ['0.0.0.0', 8], ['10.0.0.0', 8], ['100.64.0.0', 10], ['127.0.0.0', 8], ['169.254.0.0', 16],
  ['172.16.0.0', 12], ['192.0.0.0', 24], ['192.0.2.0', 24], ['192.88.99.0', 24], ['192.168.0.0', 16],
  ['198.18.0.0', 15], ['198.51.100.0', 24], ['203.0.113.0', 24], ['224.0.0.0', 4], ['240.0.0.0', 4],
]; // prettier-ignore

/** Ranges within the global range that embed an IPv4 address or are reserved for documentation. */
const internalV6: readonly (readonly [network: string, prefix: number])[] = [
  ['2001::', 23], ['2001:db8::', 32], ['2002::', 16], ['3fff::', 20],
]; // prettier-ignore

const internal = new BlockList();
for (const [network, prefix] of internalV4) internal.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of internalV6) internal.addSubnet(network, prefix, 'ipv6');

const global = new BlockList();
global.addSubnet('2000::', 3, 'ipv6');

/** True for every address that is not on the public internet, and for text that is not an IP address. */
export function isInternalAddress(address: string): boolean {
  if (isIP(address) === 0) return true;
  if (isIPv4(address)) return internal.check(address, 'ipv4');
  // Loopback, link-local, unique local, mapped and translated IPv4: all of it lies outside the global range.
  return !global.check(address, 'ipv6') || internal.check(address, 'ipv6');
}

/** Names that are never public hosts: single labels (containers), and names reserved for private use. */
const privateNames = /^[^.]+$|\.(?:localhost|local|internal|intranet|lan|home\.arpa|test|invalid|example)$/i;

/** Whether a configured host name means an internal host: by its name, or by a numeric address. */
export function isInternalHost(hostname: string): boolean {
  const bare = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  return isIP(bare) !== 0 || privateNames.test(bare);
}
