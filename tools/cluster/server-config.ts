import { dynamicSettings } from '../temporal-settings.js';

/** Each role of the server listens for calls and, on another port, for the other members of the cluster. */
export interface RolePorts {
  readonly grpc: number;
  readonly membership: number;
}

export const roles = ['frontend', 'history', 'matching', 'worker'] as const;
type Role = (typeof roles)[number];

export interface ServerConfigOptions {
  readonly store: {
    readonly port: number;
    readonly user: string;
    readonly password: string;
  };
  readonly ports: Readonly<Record<Role, RolePorts>>;
  /** Path of the file with `renderDynamicConfig()`. */
  readonly dynamicConfig: string;
}

/** Databases of Temporal's cluster of PostgreSQL. */
export const temporalDatabase = 'temporal';
export const visibilityDatabase = 'temporal_visibility';

/** The dialect of PostgreSQL 12 and later. */
export const storePlugin = 'postgres12';

const host = '127.0.0.1';
/** For good: a store keeps the number that it was made with. */
const historyShards = 16;

/**
 * Configuration of Temporal's server, all roles on the loopback address, runs and visibility on PostgreSQL. It is
 * JSON, which the server reads as the YAML that it is: nothing in it has to be quoted by rules of our own.
 */
export function renderServerConfig({ store, ports, dynamicConfig }: ServerConfigOptions): string {
  return toJson({
    log: { stdout: true, level: 'warn' },
    persistence: {
      defaultStore: 'runs',
      visibilityStore: 'visibility',
      numHistoryShards: historyShards,
      datastores: {
        runs: { sql: sqlStore(store, temporalDatabase, 20) },
        visibility: { sql: sqlStore(store, visibilityDatabase, 10) },
      },
    },
    global: { membership: { maxJoinDuration: '30s', broadcastAddress: host } },
    services: Object.fromEntries(roles.map((role) => [role, { rpc: listening(ports[role]) }])),
    clusterMetadata: {
      enableGlobalNamespace: false,
      failoverVersionIncrement: 10,
      masterClusterName: 'active',
      currentClusterName: 'active',
      clusterInformation: {
        active: {
          enabled: true,
          initialFailoverVersion: 1,
          rpcName: 'frontend',
          rpcAddress: `${host}:${ports.frontend.grpc}`,
        },
      },
    },
    dcRedirectionPolicy: { policy: 'noop' },
    dynamicConfigClient: { filepath: dynamicConfig, pollInterval: '60s' },
    archival: { history: { state: 'disabled' }, visibility: { state: 'disabled' } },
    namespaceDefaults: {
      archival: { history: { state: 'disabled' }, visibility: { state: 'disabled' } },
    },
  });
}

/** The settings that the server reads again while it runs. */
export function renderDynamicConfig(): string {
  const values = Object.entries(dynamicSettings).map(([key, value]) => [key, [{ value }]]);
  return toJson(Object.fromEntries(values) as object);
}

/** Configuration of Temporal's Web UI. @param codecEndpoint gets /decode appended by the UI. */
export function renderWebUiConfig(ui: {
  readonly port: number;
  /** host:port of gRPC. */
  readonly temporalAddress: string;
  readonly codecEndpoint?: string;
}): string {
  return toJson({
    host,
    port: ui.port,
    temporalGrpcAddress: ui.temporalAddress,
    enableUi: true,
    defaultNamespace: 'default',
    notifyOnNewVersion: false,
    ...(ui.codecEndpoint && { codec: { endpoint: ui.codecEndpoint, includeCredentials: true } }),
  });
}

/** Each role opens its own connections: four times `connections` at the most. */
function sqlStore(
  { port, user, password }: ServerConfigOptions['store'],
  database: string,
  connections: number,
) {
  return {
    pluginName: storePlugin,
    databaseName: database,
    connectAddr: `${host}:${port}`,
    connectProtocol: 'tcp',
    user,
    password,
    maxConns: connections,
    maxIdleConns: connections,
    maxConnLifetime: '1h',
  };
}

function listening({ grpc, membership }: RolePorts) {
  return { grpcPort: grpc, membershipPort: membership, bindOnIP: host };
}

function toJson(config: object): string {
  return `${JSON.stringify(config, null, 2)}\n`;
}
