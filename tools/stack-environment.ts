import { createHash } from 'node:crypto';
import { hashPassword } from '#api/sign-in/password.js';
import type { DevelopmentConfig } from './development-config.js';

/** Where the parts of one stack are found; every value is an origin or a URL except `temporalAddress` (host:port). */
export interface StackAddresses {
  readonly api: string;
  readonly sandbox: string;
  readonly temporalAddress: string;
  readonly temporalUi: string | undefined;
  readonly engineDatabase: string;
  readonly sandboxDatabase: string;
}

/** What the engine's processes need of them. */
type EngineAddresses = Pick<StackAddresses, 'api' | 'sandbox' | 'temporalAddress' | 'engineDatabase'>;

type Environment = Readonly<Record<string, string>>;

/** The one application of a development stack. */
export const environmentName = 'sandbox';
export const applicationName = 'shop';

export const temporalNamespace = 'default';

/** No secret: who may read there shows by a session. */
export function codecEndpoint(api: string): string {
  return `${api}/codec`;
}

export function sandboxEnvironment(addresses: StackAddresses, config: DevelopmentConfig): Environment {
  return {
    ...listenAt(addresses.sandbox),
    DATABASE_URL: addresses.sandboxDatabase,
    PUBLIC_URL: addresses.sandbox,
    SANDBOX_CLIENT_ID: config.clientId,
    SANDBOX_CLIENT_SECRET: config.clientSecret,
  };
}

export function apiEnvironment(
  addresses: StackAddresses,
  config: DevelopmentConfig,
  origin: string,
): Environment {
  return {
    ...engineEnvironment(addresses, config),
    // It never calls the provider.
    PROVIDER_APPLICATIONS: JSON.stringify([applicationOf(addresses, config)]),
    ...listenAt(origin),
    API_KEYS: JSON.stringify([
      {
        id: 'dev',
        sha256: createHash('sha256').update(config.apiKey).digest('hex'),
        environment: environmentName,
        application: applicationName,
      },
    ]),
    CONSOLE_USERS: JSON.stringify([
      { name: consoleUser, role: 'admin', password: hashPassword(consolePasswordOf(config), saltOf(config)) },
    ]),
    // Order services under development are on this machine.
    NOTIFICATION_ADDRESSES: 'any',
    ...(addresses.temporalUi && { TEMPORAL_UI_URL: addresses.temporalUi }),
  };
}

/** The development user of the console. */
export const consoleUser = 'dev';

/** It lives as long as the data of the stack. */
export function consolePasswordOf({ apiKey }: Pick<DevelopmentConfig, 'apiKey'>): string {
  return createHash('sha256').update(`console ${apiKey}`).digest('base64url').slice(0, 20);
}

/** Always the same, so that sessions survive a restart. */
function saltOf({ apiKey }: DevelopmentConfig): Buffer {
  return createHash('sha256').update(`console salt ${apiKey}`).digest().subarray(0, 16);
}

export function workerEnvironment(
  addresses: EngineAddresses,
  config: DevelopmentConfig,
  healthPort: number,
): Environment {
  return { ...engineEnvironment(addresses, config), HEALTH_PORT: String(healthPort) };
}

function engineEnvironment(addresses: EngineAddresses, config: DevelopmentConfig): Environment {
  return {
    DATABASE_URL: addresses.engineDatabase,
    TEMPORAL_ADDRESS: addresses.temporalAddress,
    TEMPORAL_NAMESPACE: temporalNamespace,
    TEMPORAL_TASK_QUEUE: 'payments',
    PUBLIC_URL: addresses.api,
    CODEC_KEYS: `k1:${config.codecKey}`,
    PROVIDER_APPLICATIONS: JSON.stringify([
      {
        ...applicationOf(addresses, config),
        clientId: config.clientId,
        clientSecret: config.clientSecret,
      },
    ]),
  };
}

function applicationOf({ sandbox }: EngineAddresses, { webhookSecret }: DevelopmentConfig) {
  return {
    environment: environmentName,
    application: applicationName,
    baseUrl: sandbox,
    webhookSecret,
    webhookAuthentication: 'signature',
  };
}

function listenAt(origin: string): Environment {
  const { hostname, port } = new URL(origin);
  return { HOST: hostname, PORT: port };
}
