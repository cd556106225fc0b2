import { startApp } from './app-process.js';
import type { Supervisor } from './supervisor.js';
import type { DevelopmentConfig } from './development-config.js';
import type { ManagedProcess } from './managed-process.js';
import { freePort } from './ports.js';
import {
  apiEnvironment,
  sandboxEnvironment,
  workerEnvironment,
  type StackAddresses,
} from './stack-environment.js';
import type { StackOptions } from './stack-options.js';
import { allStarted } from './stack-stores.js';

interface AppsOptions {
  readonly addresses: StackAddresses;
  /** One API process per origin. */
  readonly apiUrls: readonly string[];
  readonly config: DevelopmentConfig;
}

type Environment = Readonly<Record<string, string>>;

/** Starts processes beside those that run, as a release or a larger scale does, with variables beside the others'. */
export interface MoreApps {
  addWorker(env?: Environment): Promise<ManagedProcess>;
  addApi(origin: string, env?: Environment): Promise<ManagedProcess>;
}

interface Apps extends MoreApps {
  readonly sandbox: ManagedProcess;
  readonly workers: readonly ManagedProcess[];
  readonly apis: readonly ManagedProcess[];
}

export async function startApps(
  supervisor: Supervisor,
  options: StackOptions,
  { addresses, apiUrls, config }: AppsOptions,
): Promise<Apps> {
  options.report?.('starting the payments sandbox …');
  const sandbox = await startApp(supervisor, {
    app: 'sandbox',
    name: 'sandbox',
    readyUrl: `${addresses.sandbox}/healthz`,
    env: { ...sandboxEnvironment(addresses, config), ...options.env?.sandbox },
  });
  options.report?.('starting the worker and the API …');
  const startApi = (origin: string, index: number, env: Environment = {}): Promise<ManagedProcess> =>
    startApp(supervisor, {
      app: 'api',
      name: numbered('api', index),
      readyUrl: `${origin}/healthz`,
      env: { ...apiEnvironment(addresses, config, origin), ...options.env?.api, ...env },
    });
  const startWorker = (healthPort: number, index: number, env: Environment = {}): Promise<ManagedProcess> =>
    startApp(supervisor, {
      app: 'worker',
      name: numbered('worker', index),
      readyUrl: `http://127.0.0.1:${healthPort}/readyz`,
      env: { ...workerEnvironment(addresses, config, healthPort), ...options.env?.worker, ...env },
    });
  const healthPorts = await workerHealthPorts(options);
  const started = await allStarted([
    ...healthPorts.map((port, index) => startWorker(port, index)),
    ...apiUrls.map((origin, index) => startApi(origin, index)),
  ]);
  let [workers, apis] = [healthPorts.length, apiUrls.length];
  return {
    sandbox,
    workers: started.slice(0, healthPorts.length),
    apis: started.slice(healthPorts.length),
    addWorker: async (env) => startWorker(await freePort(), workers++, env),
    addApi: (origin, env) => startApi(origin, apis++, env),
  };
}

async function workerHealthPorts({ workers = 1, ports }: StackOptions): Promise<number[]> {
  const free = await Promise.all(Array.from({ length: workers }, () => freePort()));
  return free.map((port, index) => (index === 0 ? (ports?.workerHealth ?? port) : port));
}

function numbered(name: string, index: number): string {
  return index === 0 ? name : `${name}-${index + 1}`;
}
