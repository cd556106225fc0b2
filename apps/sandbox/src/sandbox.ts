import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import { pino, type Logger } from 'pino';
import { Accounts } from './accounts/accounts.js';
import { AccessTokens } from './applications/access-tokens.js';
import { Applications } from './applications/applications.js';
import { CallLog } from './calls/call-log.js';
import { DEFAULT_RETENTION } from './calls/forget-old-calls.js';
import { REAL_DAY_MS } from './clock/instants.js';
import type { RecurringTask } from './clock/recurring-task.js';
import type { SandboxConfig } from './configuration.js';
import type { SandboxContext } from './context/sandbox-context.js';
import { openDatabase, openPool } from './database/connect.js';
import type { Tables } from './database/tables.js';
import { Faults } from './faults/faults.js';
import { PastStates } from './faults/past-states.js';
import { Links } from './http/links.js';
import { addRoutes } from './routes.js';
import { createServer } from './server/server.js';
import { startSweeps } from './sweeps.js';
import { DeliveryDispatcher } from './webhooks/delivery-dispatcher.js';
import { loadSigningCertificate, type SigningCertificate } from './webhooks/signing-certificate.js';

export { migrateSandbox } from './database/migrate.js';

const IDLE_LOOK_MS = 20;
const CLOSING_GRACE_MS = 5_000;

export interface RunningSandbox {
  /** The address where it listens. */
  url: string;
  /** Answers the calls under way, ends held calls and deliveries, closes the database. */
  close(): Promise<void>;
}

/**
 * Starts the payments service on its own PostgreSQL, which `migrateSandbox` has prepared.
 * @throws when the database is down or lacks a migration, or the port is taken; nothing is left running then.
 */
export async function startSandbox(config: SandboxConfig): Promise<RunningSandbox> {
  const logger = pino({ level: config.logLevel ?? 'info', base: { service: 'sandbox' } });
  const database = await openDatabase(config.databaseUrl, config.databasePoolSize ?? 16, logger);
  const closing = new AbortController();
  const app = createServer({ logger });
  let dispatcher: DeliveryDispatcher | undefined;
  let sweeps: RecurringTask[] = [];
  const context = createContext(config, app, database, logger, closing.signal, () => {
    dispatcher?.wake();
    for (const sweep of sweeps) sweep.stir();
  });

  const close = async () => {
    await Promise.all(sweeps.map((sweep) => sweep.stop()));
    closing.abort();
    await closeServer(app);
    await dispatcher?.close();
    await context.calls.close().catch(() => logger.warn('the last calls were not written to the call log'));
    await context.past.close();
    await database.destroy();
  };
  try {
    const certificate = await prepare(context, config);
    await addRoutes(app, context, certificate);
    await app.listen({ port: config.port ?? 4000, host: config.host ?? '127.0.0.1' });
    dispatcher = new DeliveryDispatcher(context, certificate, config.deliveryTimeoutMs ?? 10_000);
    sweeps = startSweeps(context);
  } catch (error) {
    await close();
    throw error;
  }
  return { url: addressOf(app), close };
}

function createContext(
  config: SandboxConfig,
  app: FastifyInstance,
  database: Kysely<Tables>,
  logger: Logger,
  closing: AbortSignal,
  wakeTasks: () => void,
): SandboxContext {
  const past = new PastStates(
    (size) => openPool(config.databaseUrl, size, logger, '-c idle_in_transaction_session_timeout=0'),
    logger,
  );
  const accounts = new Accounts(database);
  return {
    database,
    logger,
    links: new Links(() => config.publicUrl ?? addressOf(app)),
    accounts,
    applications: new Applications(database, accounts),
    tokens: new AccessTokens(database),
    faults: new Faults(database, past),
    past,
    calls: new CallLog(database, logger),
    defaults: { dayLengthMs: config.dayLengthMs ?? REAL_DAY_MS, approval: config.approval ?? 'payer' },
    callRetention: { ...DEFAULT_RETENTION, ...config.callRetention },
    adminToken: config.adminToken,
    closing,
    wakeTasks,
  };
}

/** What must exist before the first call. */
async function prepare(context: SandboxContext, config: SandboxConfig): Promise<SigningCertificate> {
  await context.faults.load();
  await context.accounts.load();
  if (config.defaultApplication !== undefined) {
    const { clientId, clientSecret } = config.defaultApplication;
    await context.applications.upsert(clientId, { clientSecret }, new Date());
  }
  return loadSigningCertificate(context.database);
}

/**
 * Answers the calls under way. Node leaves connections that become idle after `close` open until their keep-alive ends,
 * so they are closed in a loop; a caller that has not read its answer after the grace period is disconnected.
 */
async function closeServer(app: FastifyInstance): Promise<void> {
  const idle = setInterval(() => app.server.closeIdleConnections(), IDLE_LOOK_MS);
  const all = setTimeout(() => app.server.closeAllConnections(), CLOSING_GRACE_MS);
  await app.close();
  clearInterval(idle);
  clearTimeout(all);
}

function addressOf(app: FastifyInstance): string {
  const { address, port, family } = app.server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
