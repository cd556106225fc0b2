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

function isPlainHttp(address: string): boolean {
  const url = URL.parse(address);
  if (!url || !/^https?:\/\//i.test(address)) return false;
  return url.username === '' && url.password === '' && !/[?#]/.test(address);
}
