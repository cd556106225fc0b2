import { timingSafeEqual } from 'node:crypto';
import type { ApiKey } from '../injected/api-config.js';
import { sha256 } from './same-secret.js';

/** The caller of a request, and the application at the provider that its key belongs to. */
export interface Caller {
  readonly keyId: string;
  readonly environment: string;
  readonly application: string;
  /** Who asks, if it is not an order service with the key: a user of the console. */
  readonly requestedBy?: string;
}

/** The caller that an Authorization header names. Every key is compared, so that the duration reveals nothing. */
export function findCaller(keys: readonly ApiKey[], authorization: string | undefined): Caller | undefined {
  const [, token] = /^Bearer +([\x21-\x7e]{1,512})$/i.exec(authorization ?? '') ?? [];
  const given = sha256(token ?? '');
  const matching = keys.filter((key) => timingSafeEqual(given, Buffer.from(key.sha256, 'hex')));
  const [key] = matching;
  if (token === undefined || !key) return undefined;
  return { keyId: key.id, environment: key.environment, application: key.application };
}
