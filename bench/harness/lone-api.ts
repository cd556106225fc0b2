import { createHash, randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { hashPassword } from '#api/sign-in/password.js';
import { sessionCookie } from '#api/sign-in/console-sessions.js';
import { startApp } from '#tools/app-process.js';
import type { Supervisor } from '#tools/supervisor.js';
import type { ManagedProcess } from '#tools/managed-process.js';
import { freePort } from '#tools/ports.js';
import { newSecret } from '#tools/new-secret.js';

/** An API process on a migrated database, without worker and Temporal. */
export interface LoneApi {
  readonly origin: string;
  readonly process: ManagedProcess;
  /** The application's API key. */
  readonly keyOf: (application: string) => string;
  /** Headers of the application's key. */
  readonly headersOf: (application: string) => Record<string, string>;
  /** Headers of a signed-in admin of the console. */
  readonly consoleHeaders: Record<string, string>;
}

export async function startLoneApi(
  supervisor: Supervisor,
  { name, databaseUrl, applications }: { name: string; databaseUrl: string; applications: readonly string[] },
): Promise<LoneApi> {
  const origin = `http://127.0.0.1:${await freePort()}`;
  const keys = Object.fromEntries(applications.map((application) => [application, newSecret()]));
  const password = hashPassword(newSecret());
  const app = await startApp(supervisor, {
    app: 'api',
    name,
    readyUrl: `${origin}/healthz`,
    env: environmentOf({ origin, databaseUrl, keys, password }),
  });
  const token = await signIn(databaseUrl, password);
  return {
    origin,
    process: app,
    keyOf: (application) => keys[application] ?? '',
    headersOf: (application) => ({ authorization: `Bearer ${keys[application]}` }),
    consoleHeaders: { cookie: `${sessionCookie}=${token}` },
  };
}

function environmentOf({
  origin,
  databaseUrl,
  keys,
  password,
}: {
  readonly origin: string;
  readonly databaseUrl: string;
  readonly keys: Readonly<Record<string, string>>;
  readonly password: string;
}): Record<string, string> {
  const { hostname, port } = new URL(origin);
  return {
    HOST: hostname,
    PORT: port,
    PUBLIC_URL: origin,
    DATABASE_URL: databaseUrl,
    // No server listens there: the measurement needs no run.
    TEMPORAL_ADDRESS: '127.0.0.1:9',
    TEMPORAL_DEADLINE_MS: '500',
    CODEC_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    LOG_LEVEL: 'warn',
    // One caller stands for many.
    MAX_REQUESTS_PER_ADDRESS_AND_MINUTE: '1000000',
    CONSOLE_USERS: JSON.stringify([{ name: consoleUser, role: 'admin', password }]),
    PROVIDER_APPLICATIONS: JSON.stringify(
      Object.keys(keys).map((application) => ({
        environment: 'sandbox',
        application,
        baseUrl: 'http://127.0.0.1:9',
        webhookSecret: newSecret(),
        webhookAuthentication: 'signature',
      })),
    ),
    API_KEYS: JSON.stringify(
      Object.entries(keys).map(([application, key]) => ({
        id: application,
        sha256: sha256(key),
        environment: 'sandbox',
        application,
      })),
    ),
  };
}

const consoleUser = 'bench';

/** As the sign-in does it, without its form. @returns the token of the session. */
async function signIn(databaseUrl: string, password: string): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(
      `INSERT INTO console_sessions (id, user_name, token_sha256, credential_sha256, expires_at)
       VALUES ($1, $2, $3, $4, now() + interval '1 day')`,
      [`cons_${randomBytes(16).toString('hex')}`, consoleUser, sha256(token), sha256(password)],
    );
  } finally {
    await client.end();
  }
  return token;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
