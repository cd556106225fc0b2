import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import {
  type ConsoleSessionRow,
  beginSignIn,
  endConsoleSession,
  forgetFailedSignIns,
  openConsoleSession,
  recordAudit,
  useConsoleSession,
} from '#database/console';
import type { Database } from '#database/connection';
import { hashOf, newSecret } from '../auth/same-secret.js';
import { BoundedWaits } from '../commands/bounded-waits.js';
import { type ApiConfig, apiConfig } from '../injected/api-config.js';
import { type ConsoleUser, type Operator, type Role, roles } from '../injected/console-user.js';
import { databaseToken } from '../injected/database-token.js';
import { failureCounter, newBrowserProof } from './known-browser.js';
import { isPassword } from './password.js';

/** A working day. */
const sessionMs = 12 * 3_600_000;
const idleMs = 2 * 3_600_000;

/** `__Host-`: no other host and no other path can set it. Browsers keep it over https, and on loopback also over http. */
export const sessionCookie = '__Host-console';
export const cookieOptions = { path: '/', httpOnly: true, secure: true, sameSite: 'strict' } as const;

/** Each takes 32 MiB and a thread for a tenth of a second. */
const mostPasswordsAtOnce = 2;

export type SignIn =
  | { readonly token: string; readonly browserProof: string }
  | { readonly refusal: 'wrong' | { readonly waitSeconds: number } };

/** A user who has signed in at the identity provider. */
export interface FederatedOperator {
  readonly operator: Operator;
  /** Its own id of the user, which never changes. */
  readonly subject: string;
}

export interface OpenSession {
  readonly id: string;
  readonly operator: Operator;
}

/**
 * Sessions of the console's users. They end after 12 hours, 2 idle hours, a sign-out, and when the configuration has
 * another password of the user, or another identity provider.
 */
@Injectable()
export class ConsoleSessions {
  private readonly passwords = new BoundedWaits(mostPasswordsAtOnce);
  constructor(
    @Inject(databaseToken) private readonly db: Database,
    @Inject(apiConfig) private readonly config: ApiConfig,
  ) {}

  get hasUsers(): boolean {
    return this.users.length > 0;
  }

  /** @param browserProof what the browser has got at an earlier sign-in. */
  async signIn(name: string, password: string, browserProof?: string): Promise<SignIn> {
    const user = this.users.find((each) => each.name === name);
    // For an unknown name the hash of another user is compared, so that the duration reveals nothing.
    const compared = user ?? this.users[0];
    if (!compared) return { refusal: 'wrong' };
    const counter = failureCounter({ name, password: compared.password }, browserProof);
    const waitSeconds = await beginSignIn(this.db, counter);
    if (waitSeconds > 0) return { refusal: { waitSeconds } };
    const isRight = await this.passwords.within('passwords', () => isPassword(password, compared.password));
    if (isRight === undefined) return { refusal: { waitSeconds: 1 } };
    if (!user) return { refusal: 'wrong' };
    const { role } = user;
    if (!isRight) {
      await recordAudit(this.db, { userName: name, role, action: 'sign-in refused' });
      return { refusal: 'wrong' };
    }
    await forgetFailedSignIns(this.db, counter);
    const token = await this.open(user, { credentialSha256: hashOf(user.password) });
    return { token, browserProof: newBrowserProof(user) };
  }

  /** Signs in a user of the identity provider. A name in the audit trail must stay unambiguous. */
  async signInFederated({
    operator,
    subject,
  }: FederatedOperator): Promise<{ token: string } | { refusal: 'name-taken' }> {
    if (this.users.some(({ name }) => name === operator.name)) return { refusal: 'name-taken' };
    const detail = `as ${subject} of ${this.config.consoleIdentityProvider?.issuer ?? ''}`;
    const session = { credentialSha256: this.providerHash, role: operator.role, detail };
    return { token: await this.open(operator, session) };
  }

  /** The session of a request. */
  async of(request: FastifyRequest): Promise<OpenSession | undefined> {
    const token = request.cookies[sessionCookie];
    if (token === undefined || !/^[\w-]{43}$/.test(token)) return undefined;
    const row = await useConsoleSession(this.db, hashOf(token), idleMs);
    const operator = row && this.operatorOf(row);
    return operator && { id: row.id, operator };
  }

  async signOut({ id, operator }: OpenSession): Promise<void> {
    await endConsoleSession(this.db, id);
    await recordAudit(this.db, { userName: operator.name, role: operator.role, action: 'sign-out' });
  }

  /** Undefined for a user whom the configuration no longer admits. */
  private operatorOf(row: ConsoleSessionRow): Operator | undefined {
    const { user_name: name, credential_sha256: credential } = row;
    const user = this.users.find((each) => each.name === name);
    if (row.role === null) {
      return user && credential === hashOf(user.password) ? { name, role: user.role } : undefined;
    }
    const role = roles.find((each) => each === row.role);
    return role && !user && credential === this.providerHash ? { name, role } : undefined;
  }

  private async open(
    { name, role }: Operator,
    {
      detail,
      ...session
    }: { readonly credentialSha256: string; readonly role?: Role; readonly detail?: string },
  ): Promise<string> {
    const token = newSecret();
    await openConsoleSession(this.db, {
      id: `cons_${randomBytes(16).toString('hex')}`,
      userName: name,
      tokenSha256: hashOf(token),
      forMs: sessionMs,
      ...session,
    });
    await recordAudit(this.db, {
      userName: name,
      role,
      action: 'sign-in',
      ...(detail !== undefined && { detail }),
    });
    return token;
  }

  private get providerHash(): string {
    return hashOf(JSON.stringify(this.config.consoleIdentityProvider ?? null));
  }

  private get users(): readonly ConsoleUser[] {
    return this.config.consoleUsers ?? [];
  }
}
