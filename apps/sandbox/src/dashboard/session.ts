import { createHmac, randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.js';

const SESSION_SECONDS = 12 * 3_600;
const COOKIE = 'sandbox_dashboard';
const COOKIE_IN_HEADER = new RegExp(`(?:^|; *)${COOKIE}=([\\w-]{43})(?:;|$)`);

/**
 * Operators who have entered the admin token. Each has a random secret in a cookie; the database has a hash of it that
 * depends on the token: a session survives a restart, and ends by signing out, after 12 hours, or when the token
 * changes.
 */
export class DashboardSessions {
  /** @param isSecure whether browsers come over TLS. */
  constructor(
    private readonly database: Kysely<Tables>,
    private readonly adminToken: string,
    private readonly isSecure: () => boolean,
  ) {}

  /** @returns the value of Set-Cookie. */
  async begin(now: Date): Promise<string> {
    const secret = randomBytes(32).toString('base64url');
    const ends_at = new Date(now.getTime() + SESSION_SECONDS * 1000);
    await this.database.deleteFrom('dashboard_sessions').where('ends_at', '<=', now).execute();
    await this.database
      .insertInto('dashboard_sessions')
      .values({ session_sha256: this.#hashOf(secret), ends_at })
      .execute();
    return this.#cookie(secret, SESSION_SECONDS);
  }

  /** @param header the request's Cookie header. */
  async isOpen(header: string | undefined, now: Date): Promise<boolean> {
    const secret = COOKIE_IN_HEADER.exec(header ?? '')?.[1];
    if (secret === undefined) return false;
    const session = await this.database
      .selectFrom('dashboard_sessions')
      .select('ends_at')
      .where('session_sha256', '=', this.#hashOf(secret))
      .executeTakeFirst();
    return session !== undefined && session.ends_at > now;
  }

  /**
   * @param header the request's Cookie header.
   * @returns the value of Set-Cookie.
   */
  async end(header: string | undefined): Promise<string> {
    const secret = COOKIE_IN_HEADER.exec(header ?? '')?.[1];
    if (secret !== undefined)
      await this.database
        .deleteFrom('dashboard_sessions')
        .where('session_sha256', '=', this.#hashOf(secret))
        .execute();
    return this.#cookie('', 0);
  }

  #hashOf(secret: string): string {
    return createHmac('sha256', `dashboard session\n${this.adminToken}`).update(secret).digest('hex');
  }

  #cookie(value: string, seconds: number): string {
    const secure = this.isSecure() ? '; Secure' : '';
    return `${COOKIE}=${value}; Path=/dashboard; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`;
  }
}
