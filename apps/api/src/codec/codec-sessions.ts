import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { type CodecSessionRow, findCodecSession, openCodecSession, signInByLink } from '#database/access';
import type { Database } from '#database/connection';
import { type ApiConfig, apiConfig } from '../injected/api-config.js';
import { type Caller, isInForce, mayUse } from '../auth/api-keys.js';
import { hashOf, newSecret } from '../auth/same-secret.js';
import { databaseToken } from '../injected/database-token.js';
import { sessionCookie, sessionTokenIn } from './codec-callers.js';

const sessionMs = 3_600_000;

export interface OpenedSession {
  readonly row: CodecSessionRow;
  /** Gives access to the codec endpoint until the link is used. */
  readonly token: string;
  /** The last path segment of the sign-in address. The address works once and hands the session over to a browser. */
  readonly link: string;
}

/**
 * Codec sessions: each lets one browser or token read histories for an hour, is bound to an API key and can be revoked.
 */
@Injectable()
export class CodecSessions {
  constructor(
    @Inject(databaseToken) private readonly db: Database,
    @Inject(apiConfig) private readonly config: ApiConfig,
  ) {}

  async open({ keyId, environment, application }: Caller): Promise<OpenedSession> {
    const [token, link] = [newSecret(), newSecret()];
    const row = await openCodecSession(this.db, {
      id: `cs_${randomBytes(16).toString('hex')}`,
      environment,
      application,
      keyId,
      tokenSha256: hashOf(token),
      linkSha256: hashOf(link),
      forMs: sessionMs,
    });
    return { row, token, link };
  }

  /** @returns the cookie for the browser; undefined if the link is used, expired or unknown. */
  async signIn(link: string): Promise<string | undefined> {
    const token = newSecret();
    const row = await signInByLink(this.db, hashOf(link), hashOf(token));
    if (!row) return undefined;
    const seconds = Math.max(0, Math.floor((row.expires_at.getTime() - Date.now()) / 1_000));
    const secure = this.config.publicUrl.startsWith('https:') ? '; Secure' : '';
    // SameSite=Strict: Temporal's UI is on the same site; pages of other sites cannot send the cookie.
    return `${sessionCookie}=${token}; Path=/codec; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`;
  }

  /** The session of a request. It ends with its API key, and when the key may open no more sessions. */
  async of(request: FastifyRequest): Promise<CodecSessionRow | undefined> {
    const token = sessionTokenIn(this.config, request);
    const row = token === undefined ? undefined : await findCodecSession(this.db, hashOf(token));
    const key = this.config.apiKeys.find(
      ({ id, environment, application }) =>
        id === row?.key_id && environment === row.environment && application === row.application,
    );
    return key && isInForce(key) && mayUse(key, 'decide') ? row : undefined;
  }
}
