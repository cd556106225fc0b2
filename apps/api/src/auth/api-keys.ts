import { timingSafeEqual } from 'node:crypto';
import type { ApiKey } from '../injected/api-config.js';
import { type Scope, scopes } from '../injected/scope.js';
import { sha256 } from './same-secret.js';

/** The caller of a request, and the application at the provider that its key belongs to. */
export interface Caller {
  readonly keyId: string;
  readonly environment: string;
  readonly application: string;
  /** Who asks, if it is not an order service with the key: a user of the console. */
  readonly requestedBy?: string;
  /** The key is valid until this instant; absent: it never expires. */
  readonly expiresAt?: string | undefined;
  /** Those of its key; absent: all. */
  readonly scopes?: readonly Scope[] | undefined;
}

/** The key in an Authorization header, expired or not. Every key is compared, so that the duration reveals nothing. */
export function findKey(keys: readonly ApiKey[], authorization: string | undefined): ApiKey | undefined {
  const [, token] = /^Bearer +([\x21-\x7e]{1,512})$/i.exec(authorization ?? '') ?? [];
  const given = sha256(token ?? '');
  const [key] = keys.filter(({ sha256: expected }) => timingSafeEqual(given, Buffer.from(expected, 'hex')));
  return token === undefined ? undefined : key;
}

export function isInForce({ expiresAt }: ApiKey): boolean {
  return expiresAt === undefined || Date.now() < Date.parse(expiresAt);
}

export function mayUse(key: Pick<ApiKey, 'scopes'>, scope: Scope): boolean {
  return (key.scopes ?? scopes).includes(scope);
}
