import { timingSafeEqual } from 'node:crypto';
import { sha256 } from './same-secret.js';

/** A key of an order service: only its hash is known here. */
export interface ApiKey {
  /** Names the key in records. */
  readonly id: string;
  /** Hex of the SHA-256 of the key. Keys are random and long, so that a plain hash is enough. */
  readonly sha256: string;
  readonly environment: string;
  readonly application: string;
}

/** Who asks, and for which application at the provider. */
export interface Caller {
  readonly keyId: string;
  readonly environment: string;
  readonly application: string;
}

/** The caller that an Authorization header names; every key is compared, so that the time taken tells nothing. */
export function findCaller(keys: readonly ApiKey[], authorization: string | undefined): Caller | undefined {
  const [, token] = /^Bearer +([\x21-\x7e]{1,512})$/i.exec(authorization ?? '') ?? [];
  const given = sha256(token ?? '');
  const matching = keys.filter((key) => timingSafeEqual(given, Buffer.from(key.sha256, 'hex')));
  const [key] = matching;
  if (token === undefined || !key) return undefined;
  return { keyId: key.id, environment: key.environment, application: key.application };
}
