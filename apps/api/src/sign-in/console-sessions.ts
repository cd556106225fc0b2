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
import { sha256 } from '../auth/same-secret.js';
import { BoundedWaits } from '../commands/bounded-waits.js';
import { type ApiConfig, apiConfig } from '../injected/api-config.js';
import type { ConsoleUser, Operator } from '../injected/console-user.js';
import { databaseToken } from '../injected/database-token.js';
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
  { readonly token: string } | { readonly refusal: 'wrong' | { readonly waitSeconds: number } };

export interface OpenSession {
  readonly id: string;
  readonly operator: Operator;
}

/** Sessions of the console's users. They end after 12 hours, 2 idle hours, a sign-out, or with another password. */
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

  async signIn(name: string, password: string): Promise<SignIn> {
    const group = groupOf(name);
    const waitSeconds = await beginSignIn(this.db, group);
    if (waitSeconds > 0) return { refusal: { waitSeconds } };
    const user = this.users.find((each) => each.name === name);
    // For a name that nobody has another user's is compared, so that the time reveals nothing.
    const compared = user ?? this.users[0];
    if (!compared) return { refusal: 'wrong' };
    const isRight = await this.passwords.within('passwords', () => isPassword(password, compared.password));
    if (isRight === undefined) return { refusal: { waitSeconds: 1 } };
    if (!user) return { refusal: 'wrong' };
    const { role } = user;
    if (!isRight) {
      await recordAudit(this.db, { userName: name, role, action: 'sign-in refused' });
      return { refusal: 'wrong' };
    }
    await forgetFailedSignIns(this.db, group);
    return { token: await this.open(user) };
  }

  /** The session of a request. */
  async of(request: FastifyRequest): Promise<OpenSession | undefined> {
    const token = request.cookies[sessionCookie];
    if (token === undefined || !/^[\w-]{43}$/.test(token)) return undefined;
    const row = await useConsoleSession(this.db, hashOf(token), idleMs);
    const user = row && this.users.find((each) => isOf(row, each));
    return user && { id: row.id, operator: { name: user.name, role: user.role } };
  }

  async signOut({ id, operator }: OpenSession): Promise<void> {
    await endConsoleSession(this.db, id);
    await recordAudit(this.db, { userName: operator.name, role: operator.role, action: 'sign-out' });
  }

  private async open({ name, role, password }: ConsoleUser): Promise<string> {
    const token = secret();
    await openConsoleSession(this.db, {
      id: `cons_${randomBytes(16).toString('hex')}`,
      userName: name,
      tokenSha256: hashOf(token),
      credentialSha256: hashOf(password),
      forMs: sessionMs,
    });
    await recordAudit(this.db, { userName: name, role, action: 'sign-in' });
    return token;
  }

  private get users(): readonly ConsoleUser[] {
    return this.config.consoleUsers ?? [];
  }
}

function isOf(row: ConsoleSessionRow, { name, password }: ConsoleUser): boolean {
  return row.user_name === name && row.credential_sha256 === hashOf(password);
}

/** One of 65,536 groups: failures are counted for each. */
function groupOf(name: string): string {
  return hashOf(name).slice(0, 4);
}

function secret(): string {
  return randomBytes(32).toString('base64url');
}

function hashOf(text: string): string {
  return sha256(text).toString('hex');
}
