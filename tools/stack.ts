import { migrateDatabase } from '#database/connection';
import { migrateSandboxDatabase } from './app-process.js';
import { Supervisor } from './supervisor.js';
import { readDevelopmentConfig, type DevelopmentConfig } from './development-config.js';
import type { ManagedProcess } from './managed-process.js';
import { ensurePortsAreFree, freePort, type PortUse } from './ports.js';
import type { Postgres } from './postgres.js';
import { type MoreApps, startApps } from './stack-apps.js';
import type { StackOptions } from './stack-options.js';
import { codecEndpoint, type StackAddresses } from './stack-environment.js';
import { allStarted, startStores } from './stack-stores.js';
import type { TemporalServer } from './temporal-server.js';

export interface Stack extends MoreApps {
  readonly addresses: StackAddresses;
  /** Origins of all API processes; the first is `addresses.api`. */
  readonly apiUrls: readonly string[];
  /** Key for `Authorization: Bearer` at the API. */
  readonly apiKey: string;
  readonly config: DevelopmentConfig;
  readonly enginePostgres: Postgres;
  readonly sandboxPostgres: Postgres;
  /** Of Temporal's production server; undefined with another. */
  readonly temporalPostgres: Postgres | undefined;
  /** Undefined where somebody else's is used. */
  readonly temporal: TemporalServer | undefined;
  readonly sandbox: ManagedProcess;
  readonly workers: readonly ManagedProcess[];
  readonly apis: readonly ManagedProcess[];
  stop(): Promise<void>;
  kill(): Promise<void>;
}

/**
 * Brings up the whole system, each part a process of its own: two PostgreSQL clusters, so that engine and service
 * can fail apart, Temporal, the sandbox, the API and the worker.
 * @throws Failure in one sentence; nothing is left running then.
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  // First, because it says more than a taken port when the stack runs already, and because orphans hold ports.
  const supervisor = await Supervisor.open(options);
  const stopOnAbort = (): void => void supervisor.stopAll();
  options.signal?.addEventListener('abort', stopOnAbort);
  try {
    await ensurePortsAreFree(portUsesOf(options));
    return await startParts(supervisor, options);
  } catch (error) {
    await supervisor.stopAll();
    throw error;
  } finally {
    options.signal?.removeEventListener('abort', stopOnAbort);
  }
}

function portUsesOf({ ports = {}, temporalElsewhere }: StackOptions): PortUse[] {
  const uses = [
    { port: ports.api, what: 'The API', variable: 'PORT' },
    { port: ports.workerHealth, what: "The worker's health address", variable: 'HEALTH_PORT' },
    { port: ports.sandbox, what: 'The payments sandbox', variable: 'SANDBOX_PORT' },
  ];
  const temporalUses = [
    { port: ports.temporal, what: 'Temporal', variable: 'TEMPORAL_PORT' },
    { port: ports.temporalUi, what: "Temporal's Web UI", variable: 'TEMPORAL_UI_PORT' },
  ];
  return (temporalElsewhere ? uses : [...uses, ...temporalUses]).flatMap(({ port, ...use }) =>
    port === undefined ? [] : [{ port, ...use }],
  );
}

async function startParts(supervisor: Supervisor, options: StackOptions): Promise<Stack> {
  const config = readDevelopmentConfig(options.dataFolder);
  const apiUrls = await origins(options.apis ?? 1, options.ports?.api);
  const [sandboxUrl = ''] = await origins(1, options.ports?.sandbox);
  const api = apiUrls[0] ?? '';
  const stores = await startStores(supervisor, options, codecEndpoint(api));
  const addresses = { api, sandbox: sandboxUrl, ...stores.addresses };
  await allStarted([
    migrateDatabase(addresses.engineDatabase),
    migrateSandboxDatabase(addresses.sandboxDatabase),
  ]);
  const apps = await startApps(supervisor, options, { addresses, apiUrls, config });
  return {
    addresses,
    apiUrls,
    apiKey: config.apiKey,
    config,
    enginePostgres: stores.enginePostgres,
    sandboxPostgres: stores.sandboxPostgres,
    temporalPostgres: stores.temporalPostgres,
    temporal: stores.temporal,
    ...apps,
    stop: () => supervisor.stopAll(),
    kill: () => supervisor.killAll(),
  };
}

async function origins(count: number, firstPort: number | undefined): Promise<string[]> {
  const ports = await Promise.all(Array.from({ length: count }, () => freePort()));
  return ports.map((port, index) => `http://127.0.0.1:${index === 0 ? (firstPort ?? port) : port}`);
}
