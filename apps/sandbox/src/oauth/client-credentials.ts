import { timingSafeEqual } from 'node:crypto';
import type { Application, Applications } from '../applications/applications.js';
import { sha256Hex } from '../http/identifiers.js';

interface ClientCredentials {
  clientId: string;
  clientSecret: string;
}

/** Reads `Authorization: Basic base64(client id:client secret)`. */
export function readBasicCredentials(header: string | undefined): ClientCredentials | undefined {
  const encoded = /^Basic ([A-Za-z0-9+/=_-]+)$/i.exec(header ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const decoded = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = decoded.indexOf(':');
  if (colon <= 0 || decoded.includes('\0')) return undefined;
  return { clientId: decoded.slice(0, colon), clientSecret: decoded.slice(colon + 1) };
}

export async function authenticateClient(
  applications: Applications,
  header: string | undefined,
): Promise<Application | undefined> {
  const credentials = readBasicCredentials(header);
  if (credentials === undefined) return undefined;
  const application = await applications.find(credentials.clientId);
  if (application === undefined) return undefined;
  return isSameSecret(credentials.clientSecret, application.secretSha256) ? application : undefined;
}

/** Compares in constant time; secrets are kept as hashes. */
export function isSameSecret(given: string, expectedSha256: string): boolean {
  return timingSafeEqual(Buffer.from(sha256Hex(given), 'hex'), Buffer.from(expectedSha256, 'hex'));
}
