import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.js';
import { sha256Hex } from '../http/identifiers.js';

/** Section 8 of the interface: access token lifetime. */
export const TOKEN_LIFETIME_SECONDS = 28_800;

const MOST_REMEMBERED = 10_000;

interface KnownToken {
  clientId: string;
  expiresAt: number;
}

/** Access tokens, stored as hashes only. They are checked on every call, so a known one costs no query. */
export class AccessTokens {
  readonly #known = new Map<string, KnownToken>();
  #revocations = 0;

  constructor(private readonly database: Kysely<Tables>) {}

  async issue(clientId: string, now: Date): Promise<string> {
    const token = `A21AA${randomBytes(48).toString('base64url')}`;
    const hash = sha256Hex(token);
    const expiresAt = new Date(now.getTime() + TOKEN_LIFETIME_SECONDS * 1000);
    const revocationsBefore = this.#revocations;
    await this.database
      .insertInto('access_tokens')
      .values({ token_sha256: hash, client_id: clientId, expires_at: expiresAt })
      .execute();
    this.#remember(hash, { clientId, expiresAt: expiresAt.getTime() }, revocationsBefore);
    return token;
  }

  /** The client id of the application that holds this token, or undefined when it is unknown, revoked or expired. */
  async holderOf(token: string, now: Date): Promise<string | undefined> {
    const hash = sha256Hex(token);
    const known = this.#known.get(hash) ?? (await this.#load(hash));
    return known !== undefined && known.expiresAt > now.getTime() ? known.clientId : undefined;
  }

  async revokeAll(clientId: string): Promise<void> {
    try {
      await this.database.deleteFrom('access_tokens').where('client_id', '=', clientId).execute();
    } finally {
      // Even after a failure: perhaps only the answer was lost.
      this.#revocations += 1;
      this.#known.clear();
    }
  }

  async deleteExpired(now: Date): Promise<void> {
    await this.database.deleteFrom('access_tokens').where('expires_at', '<=', now).execute();
  }

  async #load(hash: string): Promise<KnownToken | undefined> {
    const revocationsBefore = this.#revocations;
    const row = await this.database
      .selectFrom('access_tokens')
      .select(['client_id', 'expires_at'])
      .where('token_sha256', '=', hash)
      .executeTakeFirst();
    if (row === undefined) return undefined;
    const token = { clientId: row.client_id, expiresAt: row.expires_at.getTime() };
    this.#remember(hash, token, revocationsBefore);
    return token;
  }

  /** A token that was read or written before a revocation may be one of the revoked ones. */
  #remember(hash: string, token: KnownToken, revocationsBefore: number): void {
    if (revocationsBefore !== this.#revocations) return;
    if (this.#known.size >= MOST_REMEMBERED) this.#known.clear();
    this.#known.set(hash, token);
  }
}
