import { z } from 'zod';

/**
 * An http or https address to which paths are appended. Credentials would appear wherever the address is shown, and a
 * path after a query or fragment would be lost.
 *
 * @returns the address without trailing slashes.
 */
export const httpAddress = z
  .string({ error: 'is required' })
  .refine(isPlainHttp, 'must be an http or https address without credentials, query and fragment')
  .transform((address) => address.replace(/\/+$/, ''));

export function isHttps(address: string): boolean {
  return new URL(address).protocol === 'https:';
}

/**
 * False for addresses of different sites: browsers send no cookie that is for one site only from the other's pages. True
 * for some of different sites, too: which names are given to the public (`co.uk`) is a long list.
 */
export function mayBeSameSite(one: string, other: string): boolean {
  const [here, there] = [new URL(one), new URL(other)];
  if (here.protocol !== there.protocol) return false;
  return here.hostname === there.hostname || siteOf(here) === siteOf(there);
}

function siteOf({ hostname }: URL): string {
  const isNumeric = /^[\d.]+$|^\[/.test(hostname);
  return isNumeric ? hostname : hostname.split('.').slice(-2).join('.');
}

function isPlainHttp(address: string): boolean {
  const url = URL.parse(address);
  if (!url || !/^https?:\/\//i.test(address)) return false;
  return url.username === '' && url.password === '' && !/[?#]/.test(address);
}
