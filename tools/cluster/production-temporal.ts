import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Supervisor } from '../supervisor.js';
import type { ManagedProcess } from '../managed-process.js';
import { freePort } from '../ports.js';
import { startPostgres, withClient, type Postgres } from '../postgres.js';
import { registerSearchAttributes, type TemporalServer } from '../temporal-server.js';
import type { ClusterPrograms } from './programs.js';
import { isReadyToServe } from './readiness.js';
import { dropSchemas, prepareSchemas } from './schema.js';
import {
  renderDynamicConfig,
  renderServerConfig,
  renderWebUiConfig,
  temporalDatabase,
  type RolePorts,
} from './server-config.js';

export interface ProductionTemporalOptions {
  readonly supervisor: Supervisor;
  readonly programs: ClusterPrograms;
  /** gRPC port; default a free one. The other ports of the server are free ones. */
  readonly port?: number;
  /** Port of the Web UI; default a free one. Without the program of a UI there is none. */
  readonly uiPort?: number;
  /** Names of type Keyword to be registered. */
  readonly searchAttributes: readonly string[];
  /** Address to which the UI appends /decode. */
  readonly codecEndpoint?: string;
  /** Ends the setting up of the tables. */
  readonly signal: AbortSignal | undefined;
}

/** Temporal as in production: the server with all its roles, and its store on a PostgreSQL of its own. */
export interface ProductionTemporal extends TemporalServer {
  readonly postgres: Postgres;
}

/**
 * Starts Temporal's server on PostgreSQL with the namespace `default`; databases, tables, namespace and attributes are
 * made where they are missing. Its process can be killed and started again, and so can its PostgreSQL.
 * @throws Failure when one of them does not start.
 */
export async function startProductionTemporal(
  options: ProductionTemporalOptions,
): Promise<ProductionTemporal> {
  const { supervisor, programs, signal } = options;
  const postgres = await startPostgres({ supervisor, name: 'temporal-postgres' });
  await prepareSchemas(programs.schemaTool, postgres, signal);
  await forgetMembers(postgres);
  const port = options.port ?? (await freePort());
  const server = await startServer(supervisor, programs.server, postgres, port);
  const address = `127.0.0.1:${port}`;
  await registerSearchAttributes(address, options.searchAttributes);
  return {
    process: server,
    postgres,
    address,
    uiUrl: programs.webUi && (await startWebUi(options, programs.webUi, address)),
    deleteStore: async () => {
      await dropSchemas(postgres);
      await prepareSchemas(programs.schemaTool, postgres, signal);
    },
  };
}

/**
 * Members are looked for where they were less than 20 s ago. The server of an earlier start was at other ports: one that
 * waits for it there does not find itself for minutes.
 */
async function forgetMembers(postgres: Postgres): Promise<void> {
  await withClient(postgres.url(temporalDatabase), (client) =>
    client.query('DELETE FROM cluster_membership'),
  );
}

async function startServer(
  supervisor: Supervisor,
  program: string,
  postgres: Postgres,
  port: number,
): Promise<ManagedProcess> {
  const { username, password } = new URL(postgres.url('postgres'));
  const folder = configFolder(supervisor, 'temporal-server');
  const dynamicConfig = join(folder, 'dynamic.yaml');
  writeFileSync(dynamicConfig, renderDynamicConfig());
  const config = renderServerConfig({
    dynamicConfig,
    store: { port: postgres.port, user: username, password },
    ports: {
      frontend: { ...(await rolePorts()), grpc: port },
      history: await rolePorts(),
      matching: await rolePorts(),
      worker: await rolePorts(),
    },
  });
  return supervisor.start({
    name: 'temporal',
    command: program,
    args: [...configArguments(folder, config), '--allow-no-auth', 'start'],
    isReady: () => isReadyToServe(`127.0.0.1:${port}`),
    readyWithinMs: 300_000,
  });
}

async function startWebUi(
  { supervisor, uiPort, codecEndpoint }: ProductionTemporalOptions,
  program: string,
  temporalAddress: string,
): Promise<string> {
  const port = uiPort ?? (await freePort());
  const config = renderWebUiConfig({ port, temporalAddress, ...(codecEndpoint && { codecEndpoint }) });
  const url = `http://127.0.0.1:${port}`;
  await supervisor.start({
    name: 'temporal-ui',
    command: program,
    args: [...configArguments(configFolder(supervisor, 'temporal-ui'), config), 'start'],
    isReady: async () => (await fetch(url, { signal: AbortSignal.timeout(20_000) })).ok,
  });
  return url;
}

function configFolder({ dataFolder }: Supervisor, name: string): string {
  const folder = join(dataFolder, name);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** Both programs look for `<environment>.yaml` in a folder. The file holds a password: for this user only. */
function configArguments(folder: string, config: string): string[] {
  writeFileSync(join(folder, 'cluster.yaml'), config, { mode: 0o600 });
  return ['--root', folder, '--config', '.', '--env', 'cluster'];
}

async function rolePorts(): Promise<RolePorts> {
  return { grpc: await freePort(), membership: await freePort() };
}
