import { createHmac, randomBytes } from 'node:crypto';
import { hashOf, isSameSecret } from '../auth/same-secret.js';
import type { ConsoleUser } from '../injected/console-user.js';

/** Proves that somebody has signed in with this browser before. It opens nothing and names nobody. */
export const browserCookie = '__Host-console-browser';
export const browserCookieSeconds = 30 * 86_400;

const pattern = /^(\d{1,12})\.([\w-]{22})\.([\w-]{43})$/;

/**
 * The hash of the password is the secret of the proof: a new password ends all proofs. The hash has a random salt, so a
 * proof lets nobody guess the password.
 */
type Credential = Pick<ConsoleUser, 'name' | 'password'>;

export function newBrowserProof(user: Credential, now = Date.now()): string {
  const expiresAt = Math.floor(now / 1_000) + browserCookieSeconds;
  const content = `${expiresAt}.${randomBytes(16).toString('base64url')}`;
  return `${content}.${sealOf(user, content)}`;
}

/**
 * What a failed try counts for. Strangers share the counter of a name; a browser that has signed in with the name has
 * its own, so strangers cannot keep it waiting.
 *
 * @param proof of the browser; one that is forged, expired or of another name counts as none.
 */
export function failureCounter(user: Credential, proof: string | undefined, now = Date.now()): string {
  // Groups, so that neither invented names nor browsers can fill the table.
  const ofName = groupOf(user.name);
  return proof !== undefined && isProof(user, proof, now) ? `${ofName}/${groupOf(proof)}` : ofName;
}

function isProof(user: Credential, proof: string, now: number): boolean {
  const [, expiresAt = '', random = '', seal = ''] = pattern.exec(proof) ?? [];
  return isSameSecret(seal, sealOf(user, `${expiresAt}.${random}`)) && Number(expiresAt) * 1_000 > now;
}

function sealOf({ name, password }: Credential, content: string): string {
  return createHmac('sha256', password).update(`console browser\n${content}\n${name}`).digest('base64url');
}

/** One of 65,536. */
function groupOf(text: string): string {
  return hashOf(text).slice(0, 4);
}
