import { z } from 'zod';
import { DEFAULT_RETENTION, type CallRetention } from './calls/forget-old-calls.js';
import { REAL_DAY_MS } from './clock/instants.js';
import { dayLength } from './clock/time-settings.js';

export interface SandboxConfig {
  /** PostgreSQL for this service alone. */
  databaseUrl: string;
  /** 0 for any free port. Default 4000. */
  port?: number | undefined;
  host?: string | undefined;
  /** Origin used in links, when it is not the address listened on. */
  publicUrl?: string | undefined;
  /** Application that exists from the start. */
  defaultApplication?: { clientId: string; clientSecret: string } | undefined;
  /** Length of a day of the service for applications without their own; default one real day. */
  dayLengthMs?: number | undefined;
  /** How payments are approved when neither the application nor a rule of it says; default 'payer'. */
  approval?: 'payer' | 'immediate' | undefined;
  /** When set, the admin API needs it as a bearer token. */
  adminToken?: string | undefined;
  /** Time limit of one webhook delivery; default 10,000. */
  deliveryTimeoutMs?: number | undefined;
  /** How much of the call history is kept: rows and real days; default 200,000 and 30. */
  callRetention?: Partial<CallRetention> | undefined;
  databasePoolSize?: number | undefined;
  logLevel?: 'silent' | 'error' | 'warn' | 'info' | 'debug' | undefined;
}

const origin = z.url({ protocol: /^https?$/ }).transform((url) => new URL(url).origin);

export const sandboxEnvironment = z.object({
  DATABASE_URL: z.string().min(1),
  PORT: z.coerce.number().int().min(0).max(65_535).default(4000),
  HOST: z.string().min(1).default('127.0.0.1'),
  PUBLIC_URL: origin.optional(),
  SANDBOX_CLIENT_ID: z.string().min(1).optional(),
  SANDBOX_CLIENT_SECRET: z.string().min(1).optional(),
  SANDBOX_DAY_LENGTH_MS: z.coerce.number().pipe(dayLength).default(REAL_DAY_MS),
  SANDBOX_APPROVAL: z.enum(['payer', 'immediate']).default('payer'),
  SANDBOX_ADMIN_TOKEN: z.string().min(1).optional(),
  SANDBOX_CALL_HISTORY_ROWS: z.coerce.number().int().positive().default(DEFAULT_RETENTION.rows),
  SANDBOX_CALL_HISTORY_DAYS: z.coerce.number().positive().default(DEFAULT_RETENTION.days),
  LOG_LEVEL: z.enum(['silent', 'error', 'warn', 'info', 'debug']).default('info'),
});

/**
 * Reads the configuration of the process.
 * @throws Error that names each environment variable that is missing or wrong, never a value.
 */
export function readConfiguration(variables: NodeJS.ProcessEnv): SandboxConfig {
  const result = sandboxEnvironment.safeParse(variables);
  if (!result.success) {
    const problems = result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
    throw new Error(`The configuration is not usable. ${problems.join('; ')}`);
  }
  const values = result.data;
  if ((values.SANDBOX_CLIENT_ID === undefined) !== (values.SANDBOX_CLIENT_SECRET === undefined)) {
    throw new Error(
      'The configuration is not usable. SANDBOX_CLIENT_ID and SANDBOX_CLIENT_SECRET must be set together',
    );
  }
  return {
    databaseUrl: values.DATABASE_URL,
    port: values.PORT,
    host: values.HOST,
    publicUrl: values.PUBLIC_URL,
    defaultApplication:
      values.SANDBOX_CLIENT_ID !== undefined && values.SANDBOX_CLIENT_SECRET !== undefined
        ? { clientId: values.SANDBOX_CLIENT_ID, clientSecret: values.SANDBOX_CLIENT_SECRET }
        : undefined,
    dayLengthMs: values.SANDBOX_DAY_LENGTH_MS,
    approval: values.SANDBOX_APPROVAL,
    adminToken: values.SANDBOX_ADMIN_TOKEN,
    callRetention: { rows: values.SANDBOX_CALL_HISTORY_ROWS, days: values.SANDBOX_CALL_HISTORY_DAYS },
    logLevel: values.LOG_LEVEL,
  };
}
