import { createHmac } from 'node:crypto';
import { sha256Hex } from '../http/identifiers.js';
import { isSameSecret } from '../oauth/client-credentials.js';

const SESSION_SECONDS = 12 * 3_600;
const COOKIE = 'sandbox_dashboard';

/**
 * The cookie of an operator who has shown the admin token: an end and a proof that only its holder can make. It lives
 * through a restart and ends when the token is changed.
 * @param isSecure whether browsers come over TLS.
 */
export function sessionCookie(adminToken: string, now: Date, isSecure: boolean): string {
  const end = String(Math.floor(now.getTime() / 1000) + SESSION_SECONDS);
  return cookie(`${end}.${proof(adminToken, end)}`, SESSION_SECONDS, isSecure);
}

export function endedCookie(isSecure: boolean): string {
  return cookie('', 0, isSecure);
}

/** @param header the request's Cookie header. */
export function hasSession(header: string | undefined, adminToken: string, now: Date): boolean {
  const [, end, given] =
    new RegExp(`(?:^|; *)${COOKIE}=(\\d{1,12})\\.([\\w-]{1,100})(?:;|$)`).exec(header ?? '') ?? [];
  if (end === undefined || given === undefined) return false;
  return Number(end) * 1000 > now.getTime() && isSameSecret(given, sha256Hex(proof(adminToken, end)));
}

function proof(adminToken: string, end: string): string {
  return createHmac('sha256', `dashboard session\n${adminToken}`).update(end).digest('base64url');
}

function cookie(value: string, seconds: number, isSecure: boolean): string {
  const secure = isSecure ? '; Secure' : '';
  return `${COOKIE}=${value}; Path=/dashboard; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`;
}
